import { expect, test } from 'vitest'
import { cutAtWord } from './cut-at-word.ts'
import { createConversation, ownTools, shopTools } from './test-conversation.ts'

test.each([
  ['short', 10, 'short'],
  ['one two three', 9, 'one two…'],
  ['one two three', 7, 'one two…'],
  ['one, two', 4, 'one,…'],
  ['abcdefghij', 4, 'abcd…'],
  ['查询订单的状态', 4, '查询订单…'],
])('%j is cut at %i to %j', (text, max, cut) => {
  expect(cutAtWord(text, max)).toBe(cut)
})

test('a list of tools has whole words, and counts what it leaves out', async () => {
  const description = 'Conversations '.repeat(20)
  const long = shopTools.map((tool) => ({ ...tool, description }))
  const { text } = await createConversation({ tools: [...long, ...ownTools] }).say('help')
  const line = text.split('\n').find((one) => one.includes('`mall_order_cancel`'))
  expect(line).toMatch(/Conversations…$/)
  expect(text).toMatch(/and \d+ more tools/)
})

test('our own tools are described in Chinese to who speaks it', async () => {
  const { text } = await createConversation({ tools: ownTools }).say('你能做什么？')
  expect(text).toContain('- `read_file`: 读取文件')
})

test.each([
  ['用 不存在的 工具', '没有名为 `不存在的` 的工具'],
  ['use the foo tool', 'There is no tool called `foo`'],
  ['use the mall_order_split tool with orderId=order-1', 'no tool called `mall_order_split`'],
])('%j is told that there is none, and no other one is called', async (message, told) => {
  const { text, calls } = await createConversation().say(message)
  expect(text).toContain(told)
  expect(calls).toEqual([])
})

test('the plan is shown as it is kept', async () => {
  const { say, give } = createConversation({ tools: ownTools })
  await say('待办：买菜、做饭')
  expect((await give('2 things to do')).text).toContain('- [ ] 买菜\n- [ ] 做饭')
})
