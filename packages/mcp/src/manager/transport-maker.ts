import type { Clock, Egress } from '@dataagent/guard'
import type { Authorizer } from '../auth/contract.ts'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createSseTransport } from '../transports/sse/sse-transport.ts'
import { createStdioTransport } from '../transports/stdio/stdio-transport.ts'
import type { Transport } from '../transports/transport.ts'
import type { McpServerConfig } from './contract.ts'
import { timeoutMsOf } from './server-config.ts'

export interface TransportMeans {
  egress: Egress | undefined
  authorizer: Authorizer | undefined
  clock: Clock
  onStderr?: ((line: string) => void) | undefined
}

/**
 * Makes transports to a server as its checked configuration says, each for one attempt. Only for
 * `http` there is another way besides the usual one.
 */
export function transportMaker(
  config: McpServerConfig,
  means: TransportMeans,
): (way: 'usual' | 'sse') => Transport | undefined {
  switch (config.transport) {
    case 'stdio':
      return (way) => (way === 'usual' ? toStdio(config, means) : undefined)
    case 'http':
      return (way) => {
        const options = toHttpOptions(config, means)
        return way === 'usual' ? createHttpTransport(options) : createSseTransport(options)
      }
    case 'sse':
      return (way) =>
        way === 'usual' ? createSseTransport(toHttpOptions(config, means)) : undefined
  }
}

function toStdio(config: McpServerConfig, { clock, onStderr }: TransportMeans): Transport {
  const { command = '', args, env, cwd, sandbox, maxMessageBytes } = config
  const startTimeoutMs = timeoutMsOf(config)
  return createStdioTransport({
    ...{ command, args, env, cwd, sandbox, maxMessageBytes, startTimeoutMs, clock, onStderr },
  })
}

function toHttpOptions(config: McpServerConfig, { egress, authorizer, clock }: TransportMeans) {
  const { url = '', headers, proxy, maxMessageBytes } = config
  return { url, headers, proxy, egress, authorizer, maxMessageBytes, clock }
}
