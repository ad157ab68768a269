import type { Clock, Egress, SandboxOptions } from '@dataagent/guard'
import {
  type Authorizer,
  createHttpTransport,
  createSseTransport,
  createStdioTransport,
  type Transport,
} from '@dataagent/mcp'
import type { Secret, ServerConfig } from '@dataagent/schema'

export interface TransportMeans {
  egress: Egress
  sandbox: SandboxOptions | undefined
  authorizer: Authorizer | undefined
  clock: Clock
  onStderr(line: string): void
}

type Stdio = Extract<ServerConfig, { transport: 'stdio' }>
type Remote = Exclude<ServerConfig, Stdio>

/** A transport for one attempt, as the configuration says; only `http` has a second way. */
export function createTransport(
  config: ServerConfig,
  means: TransportMeans,
  way: 'usual' | 'sse',
): Transport | undefined {
  switch (config.transport) {
    case 'stdio':
      return way === 'usual' ? toStdio(config, means) : undefined
    case 'http':
      return way === 'usual' ? toHttp(config, means) : toSse(config, means)
    case 'sse':
      return way === 'usual' ? toSse(config, means) : undefined
  }
}

function toStdio(config: Stdio, { sandbox, clock, onStderr }: TransportMeans): Transport {
  const { command, args, cwd, timeout } = config
  const startTimeoutMs = timeout * 1_000
  const env = reveal(config.env)
  return createStdioTransport({
    ...{ command, args, env, cwd, sandbox, startTimeoutMs, clock, onStderr },
  })
}

function toHttp(config: Remote, means: TransportMeans): Transport {
  return createHttpTransport(toRemoteOptions(config, means))
}

function toSse(config: Remote, means: TransportMeans): Transport {
  return createSseTransport(toRemoteOptions(config, means))
}

function toRemoteOptions({ url, headers, proxy }: Remote, means: TransportMeans) {
  const { egress, authorizer, clock } = means
  return { url, headers: reveal(headers), proxy: proxy?.reveal(), egress, authorizer, clock }
}

function reveal(secrets: Readonly<Record<string, Secret>>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, value.reveal()]))
}
