// An MCP server over stdio with a hundred tools, to have too many of them.
import { createInterface } from 'node:readline'

const cities = 'berlin cairo delhi hanoi kyoto lagos lima lyon miami oslo'.split(' ')
const verbs = [
  ['count_stock', 'Counts the pieces of one product'],
  ['list_products', 'Lists the products that are kept'],
  ['find_shelf', 'Finds the shelf of one product'],
  ['book_delivery', 'Books a delivery of one product'],
  ['cancel_delivery', 'Cancels a delivery of one product'],
  ['report_damage', 'Reports pieces of one product as damaged'],
  ['move_stock', 'Moves pieces of one product to another shelf'],
  ['count_orders', 'Counts the open orders of one product'],
  ['check_quality', 'Gives the last check of the quality of one product'],
  ['print_label', 'Prints a label for one product'],
] as const

const inputSchema = {
  type: 'object',
  properties: {
    sku: { type: 'string', description: 'The number of the product, as in sku-0042' },
    pieces: { type: 'integer', minimum: 1, default: 1, description: 'How many of it' },
    day: { type: 'string', format: 'date', description: 'The day that is meant; default today' },
  },
  required: ['sku'],
}

const tools = cities.flatMap((city) =>
  verbs.map(([verb, told]) => ({
    name: `${verb}_${city}`,
    description: `${told} in the warehouse of ${city}. Gives the number and the time it is of.`,
    inputSchema,
    annotations: { readOnlyHint: /^(count|list|find|check)/.test(verb) },
  })),
)

function answer(method: string, params: { name?: string; arguments?: { sku?: string } }): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'warehouses', version: '1.0.0' }
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools }
  const text = `${params.name} of ${params.arguments?.sku}: 7`
  return { content: [{ type: 'text', text }] }
}

const known = ['initialize', 'ping', 'tools/list', 'tools/call']

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) continue
  const error = { code: -32_601, message: `There is no ${method}` }
  const said = known.includes(method) ? { result: answer(method, params) } : { error }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }))
}
