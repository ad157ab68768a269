import type { OwnTool, Principal } from '@dataagent/hub'
import type { ToolMode } from '../intent/index.ts'
import type { ExecuteContext } from './contract.ts'
import { startEngine } from './test-engine.ts'
import { startSearchServer } from './test-search-server.ts'

const admin = { tenant_id: 'default', user_id: 'root', role: 'admin' } as const
const inputSchema = { type: 'object', properties: { query: { type: 'string' } } }

function toolsOf(what: string, names: readonly string[]) {
  return names.map((name) => ({ name, description: `Searches ${what}: ${name}.`, inputSchema }))
}

/**
 * An engine whose agent has two servers: `orders` with three tools and the keyword 订单, `stock` with
 * one and 库存.
 */
export async function startTwoServers(toolMode: ToolMode, tools: readonly OwnTool[] = []) {
  const cleanup = new AsyncDisposableStack()
  const engine = cleanup.use(await startEngine({ agent: { toolMode }, tools }))
  const { hub, standIn } = engine
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: 'default' }, [
    { server_id: '*', tool: '*' },
  ])

  async function add(
    name: string,
    keyword: string,
    tools: readonly string[],
    as: Principal = admin,
  ) {
    const { url } = cleanup.use(await startSearchServer(toolsOf(name, tools)))
    const config = { name, url, transport: 'http' as const, trigger_keywords: [keyword, name] }
    const server = await hub.servers.register(as, { scope: 'tenant', config })
    await hub.whenOffered(server)
    return server.server_id
  }

  const orders = await add('orders', '订单', ['find_order', 'list_orders', 'order_detail'])
  const stock = await add('stock', '库存', ['count_stock'])
  return {
    ...{ engine, orders, stock, add },
    /** The whole of what the model was asked with for this message, first and last. */
    async asked(message: string, context?: Partial<ExecuteContext>) {
      const before = standIn.requests.length
      const events = await engine.say(message, context)
      const requests = standIn.requests.slice(before)
      return { events, first: JSON.stringify(requests[0]?.body), requests }
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
