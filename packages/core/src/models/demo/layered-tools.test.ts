import { createToolset } from '@dataagent/hub'
import { expect, test } from 'vitest'
import {
  createIntentRecogniser,
  createToolPromptBuilder,
  createToolPromptTools,
  type ToolMode,
} from '../../intent/index.ts'
import { createConversation } from './test-conversation.ts'
import { toMcpEntries } from './test-mcp-entries.ts'

const { entries, servers } = toMcpEntries()

/** What an engine tells of tools for `message`, with the schemas that were asked for. */
function tell(mode: ToolMode, message: string, described: ReadonlySet<string>) {
  const view = { entries: () => entries, servers: () => servers, describe: () => undefined }
  const own = createToolset(createToolPromptTools(view)).entries
  const match = createIntentRecogniser().recognise({
    ...{ message, entries, servers, hasPendingApproval: false },
  })
  const { text, tools } = createToolPromptBuilder()({
    ...{ mode, budgetTokens: 10, own, entries, servers, match, described },
  })
  return { system: `You are helpful.\n\n${text}`, tools }
}

const nothing: ReadonlySet<string> = new Set()

async function describeOf(name: string): Promise<string> {
  const view = { entries: () => entries, servers: () => servers, describe: () => undefined }
  const tool = createToolPromptTools(view).find((one) => one.name === 'describe_tool')!
  const { content } = await tool.run({ name }, {} as never)
  return content.map((part) => ('text' in part ? part.text : '')).join('')
}

test.each(['intent', 'auto'] as const)(
  'in mode %s it reads the schema of a tool that it has a line of, then calls it [B3.1]',
  async (mode) => {
    const message = '查一下订单 order-0042'
    const { say, give, tell: next } = createConversation(tell(mode, message, nothing))
    expect((await say(message)).calls).toEqual([
      { name: 'describe_tool', arguments: { name: 'mall_order_get_detail' } },
    ])
    next(tell(mode, message, new Set(['mall_order_get_detail'])))
    expect((await give(await describeOf('mall_order_get_detail'))).calls).toEqual([
      { name: 'mall_order_get_detail', arguments: { orderId: 'order-0042' } },
    ])
    expect((await give({ status: 'paid' })).text).toContain('- status: paid')
  },
)

test('it calls through call_tool what is not given in full yet', async () => {
  const message = 'use order_get_detail for order-0042'
  const { say, give } = createConversation(tell('intent', message, nothing))
  await say(message)
  expect((await give(await describeOf('mall_order_get_detail'))).calls).toEqual([
    {
      name: 'call_tool',
      arguments: { name: 'mall_order_get_detail', arguments: { orderId: 'order-0042' } },
    },
  ])
})

test('its question is answered also where that message means no tool [A3.3]', async () => {
  const message = '查订单'
  const { say, give, tell: next } = createConversation(tell('intent', message, nothing))
  await say(message)
  expect((await give(await describeOf('mall_order_get_detail'))).text).toContain('`orderId`')
  next(tell('intent', 'order-0042', nothing))
  expect((await say('order-0042')).calls).toEqual([
    { name: 'mall_order_get_detail', arguments: { orderId: 'order-0042' } },
  ])
})

test('in mode search it looks for a tool, reads its schema and calls it [B3.2]', async () => {
  const message = 'what about order-0042?'
  const { say, give, tell: next } = createConversation(tell('search', message, nothing))
  expect((await say(message)).calls).toEqual([
    { name: 'search_tools', arguments: { query: message } },
  ])
  next(tell('search', message, new Set(['search_tools'])))
  const found = await give('- mall_order_get_detail: One order.\n- clock_now: What time it is.')
  expect(found.calls).toEqual([
    { name: 'describe_tool', arguments: { name: 'mall_order_get_detail' } },
  ])
  expect((await give(await describeOf('mall_order_get_detail'))).calls[0]?.name).toBe('call_tool')
})

test('it looks further where what it knows does not fit', async () => {
  const message = 'list the last 3 orders'
  const described = new Set(['mall_order_get_detail'])
  const { say, give } = createConversation(tell('auto', message, described))
  expect((await say(message)).calls[0]?.name).toBe('search_tools')
  const { calls } = await give('- mall_order_list: Orders.\n- mall_order_get_detail: One order.')
  expect(calls).toEqual([{ name: 'describe_tool', arguments: { name: 'mall_order_list' } }])
})

test('a search that finds nothing ends in words', async () => {
  const { say, give } = createConversation(tell('search', 'x', nothing))
  await say('paint my house')
  const { calls, text } = await give('No tool fits these words.')
  expect(calls).toEqual([])
  expect(text).toContain('demo model')
})

test('a tool that goes on asking for calls is left after a few rounds', async () => {
  const message = 'what about order-0042?'
  const { say, give } = createConversation(tell('search', message, new Set(['search_tools'])))
  let { calls } = await say(message)
  let rounds = 0
  while (calls.length > 0 && rounds < 50) {
    rounds++
    calls = (await give('- mall_order_get_detail: One order.')).calls
  }
  expect(rounds).toBeLessThan(10)
})

test.each([
  ['取消订单 order-0003', 'mall_order_cancel', { orderId: 'order-0003' }],
  [
    '给订单 order-0005 加备注：周五送货',
    'mall_order_add_note',
    { orderId: 'order-0005', text: '周五送货' },
  ],
])('in mode search %j is not done by a tool that it knows already', async (message, name, args) => {
  const described = new Set(['search_tools', 'mall_order_get_detail'])
  const { say, give } = createConversation(tell('search', message, described))
  expect((await say(message)).calls).toEqual([
    { name: 'search_tools', arguments: { query: message } },
  ])
  const found = await give(`- mall_order_get_detail: One order.\n- ${name}: Changes an order.`)
  expect(found.calls).toEqual([{ name: 'describe_tool', arguments: { name } }])
  expect((await give(await describeOf(name))).calls).toEqual([
    { name: 'call_tool', arguments: { name, arguments: args } },
  ])
})

test('what a search has no tool for is not done by another one', async () => {
  const message = '取消订单 order-0003'
  const { say, give } = createConversation(tell('search', message, new Set(['search_tools'])))
  await say(message)
  const { calls, text } = await give('- mall_order_get_detail: One order.')
  expect(calls).toEqual([])
  expect(text).toContain('哪一个工具')
})

test('a tool that is asked for by its name is searched, and no other one stands in for it', async () => {
  const message = 'use the mall_order_split tool with orderId=order-0003'
  const { say, give } = createConversation(tell('search', message, new Set(['search_tools'])))
  expect((await say(message)).calls[0]?.name).toBe('search_tools')
  const { calls, text } = await give('- mall_order_get_detail: One order.')
  expect(calls).toEqual([])
  expect(text).toContain('There is no tool called `mall_order_split`')
})

test.each(['已取消的订单有哪些', '已发货的订单 order-0003'])(
  '%j asks for no change',
  async (message) => {
    const { calls } = await createConversation().say(message)
    expect(calls.map(({ name }) => name)).not.toContain('mall_order_cancel')
    expect(calls).toHaveLength(1)
  },
)
