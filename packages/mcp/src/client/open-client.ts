import { systemClock } from '@dataagent/guard'
import { McpError } from '../errors.ts'
import { createMcpClient } from './client.ts'
import type { OpenClientOptions, OpenedClient } from './contract.ts'

/** Opens a client, whatever it takes to find out how the server wants to be spoken to. */
export async function openClient(options: OpenClientOptions): Promise<OpenedClient> {
  const { createTransport, clock = systemClock, signal } = options
  const transport = createTransport('usual')
  if (transport === undefined) {
    throw new McpError({ kind: 'config', code: 'config_invalid', message: 'mcp: no transport' })
  }
  const client = createMcpClient({ ...options, transport })
  const server = await client.connect(signal === undefined ? {} : { signal })
  const verdict = { era: server.era, version: server.version, decided_at: clock.now() }
  return { client, server, verdict }
}
