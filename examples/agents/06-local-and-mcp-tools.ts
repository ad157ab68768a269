// One agent with a tool of this program and the tools of an MCP server, which it knows by its name.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { toReplyText } from '@dataagent/core'
import { defineTool } from '@dataagent/hub'
import { z } from 'zod'
import { admin, openAgents, person } from './open-agents.ts'

const lookUpProduct = defineTool({
  name: 'look_up_product',
  description: 'Gives the number of a product by its name.',
  input: z.object({ product: z.string().describe('Its name') }),
  run: ({ product }) => `The product ${product} is sku-0042.`,
})

await using agents = await openAgents()
const { hub } = agents
const server = await hub.servers.register(admin, {
  scope: 'tenant',
  server_id: 'warehouses',
  config: {
    ...{ name: 'warehouses', transport: 'stdio', command: process.execPath },
    args: [join(import.meta.dirname, 'warehouses.ts')],
  },
})
await hub.whenOffered(server)

// The agent may use two of the hundred tools of that server, and the one of this program.
const agent = { kind: 'agent', id: 'clerk' } as const
await hub.policy.setAllowList(admin, agent, [
  { server_id: 'warehouses', tool: 'count_stock_lima' },
  { server_id: 'warehouses', tool: 'find_shelf_lima' },
])
const { executor, session_id } = await agents.openSession({
  ...{ assistant_id: 'clerk', extra_tools: [lookUpProduct] },
})

async function say(text: string): Promise<string> {
  const events = await Array.fromAsync(executor.execute(text, session_id, { principal: person }))
  for (const event of events) {
    if (event.event_type === 'tool_call') console.log('→', event.tool_name, event.tool_args)
    if (event.event_type === 'tool_result') console.log('←', event.result)
  }
  return toReplyText(events)
}

// To the model they are the same: a name, a description, arguments.
const number = await say('Use the look_up_product tool with product=lamp')
assert.match(number, /sku-0042/)
const stock = await say('Use the warehouses.count_stock_lima tool with sku=sku-0042')
assert.match(stock, /count_stock_lima of sku-0042: 7/)

// What it may not use is not there for it, and no other tool stands in.
const refused = await say('Use the warehouses.count_stock_oslo tool with sku=sku-0042')
assert.match(refused, /There is no tool called `warehouses.count_stock_oslo`/)

// To whoever answers for it too: both go by one way, and the record says whose tool it was.
await hub.audit.flush()
const record = await hub.audit.query(admin, { agent_id: 'clerk', limit: 10, offset: 0 })
const calls = record.map(({ server_id, tool_name, status }) => [server_id, tool_name, status])
console.table(calls)
assert.deepEqual(calls, [
  ['warehouses', 'count_stock_lima', 'ok'],
  ['dataagent', 'look_up_product', 'ok'],
])
