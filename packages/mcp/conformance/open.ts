import {
  createHttpTransport,
  type McpClient,
  type OpenClientOptions,
  openClient,
  type Transport,
} from '../src/index.ts'
import { egress } from './way-out.ts'

type Extras = Pick<OpenClientOptions, 'questions'>

/** Opens a client as a host would: it finds out by itself what the server speaks. */
export async function open(url: string, extras: Extras = {}): Promise<McpClient> {
  const createTransport = () => createHttpTransport({ url, egress })
  return (await openClient({ createTransport, ...extras })).client
}

/**
 * Opens a client to a server of revision 2026-07-28 that has no `server/discover`, as some servers
 * of the suite: it is answered here, all the rest by the server.
 */
export async function openUndiscovered(url: string, extras: Extras = {}): Promise<McpClient> {
  const createTransport = () => withDiscovery(createHttpTransport({ url, egress }))
  return (await openClient({ createTransport, ...extras })).client
}

const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, resources: {}, prompts: {} },
  ttlMs: 0,
  cacheScope: 'private',
}

function withDiscovery(transport: Transport): Transport {
  return {
    ...transport,
    async call(request, options) {
      if (request.method !== 'server/discover') return transport.call(request, options)
      return { jsonrpc: '2.0', id: request.id, result: discovery }
    },
  }
}
