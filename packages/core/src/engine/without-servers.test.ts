import { expect, test } from 'vitest'
import type { ToolMode } from '../intent/index.ts'
import { createTaskTool } from '../tools/index.ts'
import type { RunEvent } from './run-log.ts'
import { runSubAgent } from './sub-agent.ts'
import { of, person } from './test-engine.ts'
import { startTwoServers } from './test-two-servers.ts'

type Scene = Awaited<ReturnType<typeof startTwoServers>>

const ordersTools = /find_order|list_orders|order_detail/

/** The model's first answer to a message is this call. */
function callOnce(scene: Scene, call: { name: string; arguments: Record<string, unknown> }): void {
  scene.engine.standIn.script(({ turns }) =>
    turns.at(-1)?.role === 'tool' ? { text: 'Well.' } : { toolCalls: [call] },
  )
}

const resultOf = (events: readonly RunEvent[]) => of(events, 'tool_result')[0]?.result

test.each<ToolMode>(['always', 'intent', 'auto'])(
  'mode %s tells nothing of a server that the run does without, and the other as ever',
  async (mode) => {
    await using scene = await startTwoServers(mode)
    const without = new Set([scene.orders])
    const { first } = await scene.asked('订单和库存', { without })
    expect(first).not.toMatch(ordersTools)
    expect(first).toContain('count_stock')
  },
)

test('its keyword and the name of its tool match nothing', async () => {
  await using scene = await startTwoServers('intent')
  const without = new Set([scene.orders])
  const both = await scene.asked('订单和库存', { without })
  expect(of(both.events, 'tools_matched')).toMatchObject([
    { matches: [{ word: '库存' }], matched: 1, offered: 1 },
  ])
  const none = await scene.asked('订单', { without })
  expect(of(none.events, 'tools_matched')).toEqual([])
  const named = await scene.asked('use the find_order tool', { without })
  expect(of(named.events, 'tools_matched')).toMatchObject([{ matched: 0, offered: 0 }])
})

test('search_tools does not find its tools, and describe_tool does not know them', async () => {
  await using scene = await startTwoServers('search')
  callOnce(scene, { name: 'search_tools', arguments: { query: 'searches orders order stock' } })
  const all = await scene.asked('Find it')
  expect(resultOf(all.events)).toMatch(ordersTools)
  const found = await scene.asked('Find it', { without: new Set([scene.orders]) })
  expect(resultOf(found.events)).not.toMatch(ordersTools)
  expect(resultOf(found.events)).toContain('count_stock')
  callOnce(scene, { name: 'describe_tool', arguments: { name: 'orders--find_order' } })
  const { events } = await scene.asked('What is it', { without: new Set([scene.orders]) })
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'error' }])
})

test.each([
  ['by its wire name', { name: 'orders--find_order', arguments: { query: 'a' } }],
  ['by its own name', { name: 'find_order', arguments: { query: 'a' } }],
  [
    'through call_tool',
    {
      name: 'call_tool',
      arguments: { name: 'orders--find_order', arguments: { query: 'a' } },
    },
  ],
])('a call %s is answered as one of a tool that is not there', async (_how, call) => {
  await using scene = await startTwoServers('always')
  callOnce(scene, call)
  const allowed = await scene.asked('Go')
  expect(of(allowed.events, 'tool_result')).toMatchObject([
    { status: 'success', result: 'found a' },
  ])
  const { events } = await scene.asked('Go', { without: new Set([scene.orders]) })
  callOnce(scene, JSON.parse(JSON.stringify(call).replace('find_order', 'nothing')))
  const unknown = await scene.asked('Go')
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'denied' }])
  const refused = JSON.stringify(resultOf(events)).replaceAll('find_order', 'nothing')
  expect(refused).toBe(JSON.stringify(resultOf(unknown.events)))
  expect(of(events, 'tool_started')).toEqual([])
})

test('what an earlier turn called is gone with its server, and back with it', async () => {
  await using scene = await startTwoServers('intent')
  callOnce(scene, { name: 'orders--find_order', arguments: { query: 'a' } })
  await scene.asked('订单')
  scene.engine.standIn.script(() => 'Well.')
  const toolNames = async (without?: ReadonlySet<string>) => {
    const { requests } = await scene.asked('订单和库存', { without })
    return requests[0]!.tools.map(({ name }) => name)
  }
  expect(await toolNames(new Set([scene.orders]))).not.toContain('orders--find_order')
  expect(await toolNames()).toContain('orders--find_order')
})

test('a sub-agent does without it too', async () => {
  const task = createTaskTool({
    runSubAgent: ({ prompt }, context) => runSubAgent(prompt, context),
  })
  await using scene = await startTwoServers('always', [task])
  scene.engine.standIn.script(({ turns }) => {
    const last = turns.at(-1)
    if (last?.role === 'tool') return { text: 'Done.' }
    if (last?.text === 'sub') {
      return { toolCalls: [{ name: 'orders--find_order', arguments: { query: 'a' } }] }
    }
    return {
      toolCalls: [{ name: 'task', arguments: { description: 'A part', prompt: 'sub' } }],
    }
  })
  const { events, requests } = await scene.asked('Go', { without: new Set([scene.orders]) })
  const below = events.filter((event) => 'parent_tool_call_id' in event)
  expect(of(below, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'denied' }])
  expect(JSON.stringify(requests.map(({ tools }) => tools))).not.toMatch(ordersTools)
})

test('another session of the same user has it at the same time', async () => {
  await using scene = await startTwoServers('always')
  const { engine } = scene
  const other = await engine.createSession()
  const { first } = await scene.asked('Hi', { without: new Set([scene.orders]) })
  for await (const _ of engine.executor.execute('Hi', other, { principal: person }));
  expect(first).not.toMatch(ordersTools)
  expect(JSON.stringify(engine.standIn.requests.at(-1)?.body)).toMatch(ordersTools)
})
