import { expect, test } from 'vitest'
import { toEntry, toServer } from './test-entries.ts'
import { createToolPromptTools } from './tool-prompt-tools.ts'

const context = {
  principal: { tenant_id: 't1', role: 'user' as const },
  signal: new AbortController().signal,
  call_id: 'c1',
}
const entries = [
  toEntry('mall', 'order.get_detail', 'One order: its status and lines.', {
    type: 'object',
    properties: { orderId: { type: 'string' } },
  }),
  toEntry('mall', 'product.search', 'Products whose name holds a keyword.'),
  toEntry('db', 'get_detail', 'Details of a table.'),
  toEntry('crm', '查询客户', '按手机号查询客户资料。'),
  ...Array.from({ length: 30 }, (_, n) => toEntry('bulk', `copy_${n}`, 'Copies a parcel.')),
]

function createTools() {
  const described: string[] = []
  const tools = createToolPromptTools({
    entries: () => entries,
    servers: () => ['mall', 'db', 'crm', 'bulk'].map((name) => toServer(name, name)),
    describe: (name) => described.push(name),
  })
  const run = async (name: string, args: Record<string, unknown>) => {
    const result = await tools.find((tool) => tool.name === name)!.run(args, context as never)
    return result.content.map((part) => ('text' in part ? part.text : '')).join('')
  }
  return { described, run }
}

test.each([
  ['order status', '- mall_order_get_detail: One order: its status and lines.'],
  ['find products', '- mall_product_search: Products whose name holds a keyword.'],
  ['orderId', '- mall_order_get_detail: One order: its status and lines.'],
  ['客户手机', '- crm_查询客户: 按手机号查询客户资料。'],
])('search_tools finds by %j [B3.2]', async (query, line) => {
  const { run, described } = createTools()
  expect((await run('search_tools', { query })).split('\n')[0]).toBe(line)
  expect(described).toEqual(['search_tools'])
})

test('search_tools gives at most ten lines, or as many as asked for', async () => {
  const { run } = createTools()
  expect((await run('search_tools', { query: 'parcel' })).split('\n')).toHaveLength(10)
  expect((await run('search_tools', { query: 'parcel', limit: 2 })).split('\n')).toHaveLength(2)
})

test('search_tools says so where nothing fits', async () => {
  const { run, described } = createTools()
  expect(await run('search_tools', { query: 'zzz' })).toContain('No tool fits')
  expect(described).toEqual([])
})

test('describe_tool gives the whole schema and has the tool given in full [B3.1]', async () => {
  const { run, described } = createTools()
  const told = JSON.parse(await run('describe_tool', { name: 'mall_order_get_detail' }))
  expect(told.parameters).toEqual(entries[0]!.tool.definition.inputSchema)
  expect(described).toEqual(['mall_order_get_detail'])
})

test('describe_tool takes the original name as well, where only one has it', async () => {
  const { run, described } = createTools()
  await run('describe_tool', { name: 'product.search' })
  expect(described).toEqual(['mall_product_search'])
})

test('describe_tool names the tools where a server is named', async () => {
  const { run, described } = createTools()
  expect(await run('describe_tool', { name: 'mall' })).toContain('- mall_product_search: ')
  expect(described).toEqual([])
})

test('describe_tool of a made-up name is refused', async () => {
  const { run } = createTools()
  await expect(run('describe_tool', { name: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
})

test('call_tool that names no tool is told to', async () => {
  const { run } = createTools()
  await expect(run('call_tool', {})).rejects.toMatchObject({ code: 'invalid_arguments' })
})
