import { startMall } from '@dataagent/example-mall'
import { openServer } from '@dataagent/example-server'
import { waitFor } from '@dataagent/testkit'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export interface OpenGatewayOptions {
  /** How long a call is held for a person. Default: 50, below what most clients wait. */
  holdSeconds?: number
}

/** A platform with a shop behind it, whose orders it offers to others as the group `support`. */
export async function openGateway({ holdSeconds = 50 }: OpenGatewayOptions = {}) {
  await using made = new AsyncDisposableStack()
  const mall = made.use(await startMall())
  const env = { DATAAGENT_GATEWAY_HOLD_SECONDS: String(holdSeconds) }
  const server = made.use(await openServer({ env }))
  const admin = server.clientOf('admin')

  await admin.servers.create({ config: { name: 'mall', transport: 'sse', url: mall.url } })
  const isOffered = async () => (await admin.tools.list({ q: 'mall' })).total > 0
  await waitFor(isOffered, { timeoutMs: 20_000, what: 'the tools of the shop' })
  const { group, key } = await admin.toolGroups.create({
    ...{ group_id: 'support', name: 'Support', description: 'Orders' },
    tools: [{ server_id: 'mall', tool: 'mall4j.order.*' }],
  })

  /** What any MCP client does: it is given an address, and a key for its header. */
  async function connect(bearer: string): Promise<Client> {
    const url = new URL(group.urls.streamable_http)
    const headers = { authorization: `Bearer ${bearer}` }
    const client = new Client({ name: 'somebody-else', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
    await client.connect(transport as Parameters<Client['connect']>[0])
    cleanup.defer(() => client.close())
    return client
  }

  const cleanup = made.move()
  return { admin, mall, key, connect, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}
