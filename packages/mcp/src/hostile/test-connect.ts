import { systemClock } from '@dataagent/guard'
import { createConnection } from '../connection/connection.ts'
import type { Connection, ConnectionOptions } from '../connection/contract.ts'
import type { AddServerOptions, McpServerConfig } from '../manager/contract.ts'
import { transportMaker } from '../manager/transport-maker.ts'
import type { Hostile } from './test-hostile.ts'

/** An open connection to a hostile server. */
export interface Rig extends AsyncDisposable {
  readonly connection: Connection
  /** Calls a tool; gives the text of its result. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>
}

export type RigOptions = Partial<ConnectionOptions> & Pick<AddServerOptions, 'authorizer'>

/** Opens a connection that comes back soon, and asks for health only where told to. */
export async function connectTo(hostile: Hostile, options: RigOptions = {}): Promise<Rig> {
  return connectBy(hostile.config('bad'), options)
}

export async function connectBy(config: McpServerConfig, options: RigOptions = {}): Promise<Rig> {
  const { authorizer, ...given } = options
  const means = { egress: undefined, authorizer, clock: systemClock }
  const connection = createConnection({
    name: config.name,
    createTransport: transportMaker(config, means),
    backoff: { firstMs: 5, maxMs: 50 },
    healthEveryMs: 0,
    ...given,
  })

  await connection.open()
  return {
    connection,
    async call(tool, args) {
      const { content } = await connection.callTool(tool, args)
      const [part] = content
      return part?.type === 'text' ? part.text : JSON.stringify(content)
    },
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

export function isReady({ connection }: Rig): boolean {
  return connection.state.status === 'ready'
}
