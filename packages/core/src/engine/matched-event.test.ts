import { expect, test } from 'vitest'
import { collect, loadConversation, of, person } from './test-engine.ts'
import { startTwoServers } from './test-two-servers.ts'

type Scene = Awaited<ReturnType<typeof startTwoServers>>

async function matchedBy(scene: Scene, message: string) {
  const { events } = await scene.asked(message)
  return of(events, 'tools_matched')
}

test('a turn tells which keyword of which server brought how many tools [B2.2] [B3.1]', async () => {
  await using scene = await startTwoServers('intent')
  const { events } = await scene.asked('我的订单到哪了')
  expect(events.slice(0, 2)).toMatchObject([
    { event_type: 'user_message', seq: 1 },
    {
      ...{ event_type: 'tools_matched', seq: 2, tool_mode: 'intent', matched: 3, offered: 3 },
      matches: [{ by: 'keyword', word: '订单', server_id: scene.orders, server_name: 'orders' }],
    },
  ])
})

test('the log has it for those who come later', async () => {
  await using scene = await startTwoServers('intent')
  const { events } = await scene.asked('我的订单到哪了')
  const { sql, session_id } = scene.engine
  const rows = await sql.events.read(session_id, { after: 0, limit: 10 })
  expect(JSON.parse(rows[1]!.json)).toEqual(events[1])
  const conversation = await loadConversation(sql.events, session_id)
  expect(conversation.messages[0]).toEqual({ role: 'user', content: '我的订单到哪了' })
})

test('a tool that is named is told by its name, several servers each [B2.1]', async () => {
  await using scene = await startTwoServers('intent')
  expect(await matchedBy(scene, 'use the count_stock tool')).toMatchObject([
    { matches: [{ by: 'name', word: 'count_stock', server_name: 'stock' }], matched: 1 },
  ])
  expect(await matchedBy(scene, '订单和库存')).toMatchObject([
    { matches: [{ word: '订单' }, { word: '库存' }], matched: 4, offered: 4 },
  ])
})

test('a name that nobody has is told with no server and no tools', async () => {
  await using scene = await startTwoServers('intent')
  const [event] = await matchedBy(scene, '/tool price_oracle')
  expect(event).toMatchObject({ matched: 0, offered: 0 })
  expect(event?.matches).toEqual([{ by: 'name', word: 'price_oracle' }])
})

test('where all tools are sent anyway it says how many those are', async () => {
  await using scene = await startTwoServers('always')
  expect(await matchedBy(scene, '库存')).toMatchObject([
    { tool_mode: 'always', matched: 1, offered: 4 },
  ])
})

test('where the model has to search none is offered', async () => {
  await using scene = await startTwoServers('search')
  expect(await matchedBy(scene, '库存')).toMatchObject([
    { tool_mode: 'search', matched: 1, offered: 0 },
  ])
})

test('a message without MCP intent says nothing of it', async () => {
  await using scene = await startTwoServers('intent')
  expect(await matchedBy(scene, 'Write a poem about the sea.')).toEqual([])
  expect(await matchedBy(scene, '记住我喜欢茶')).toEqual([])
})

test('keywords of another tenant match nothing, and nothing of its servers is told [T66]', async () => {
  await using scene = await startTwoServers('intent')
  const other = { tenant_id: 'other', user_id: 'root', role: 'admin' } as const
  await scene.add('invoices', '发票', ['find_invoice'], other)
  await scene.add('foreign', '订单', ['take_order'], other)
  const { events, first } = await scene.asked('我的发票呢')
  expect(of(events, 'tools_matched')).toEqual([])
  expect(first).not.toContain('invoice')
  const own = await scene.asked('我的订单到哪了')
  expect(of(own.events, 'tools_matched')).toMatchObject([
    { matched: 3, matches: [{ word: '订单', server_id: scene.orders }] },
  ])
  expect(own.first).not.toContain('take_order')
})

test('a run that another process began was told of there', async () => {
  await using scene = await startTwoServers('intent')
  const { session_id, executor, sql } = scene.engine
  const left = { event_type: 'user_message', timestamp: 1, message_id: 'm', content: '订单' }
  const json = JSON.stringify({ ...left, session_id, seq: 1, run_id: 'left' })
  await sql.events.append(session_id, [{ kind: left.event_type, json }], { after: 0 })
  const events = await collect(executor.resume(session_id, { principal: person }))
  expect(of(events, 'done')).toHaveLength(1)
  expect(of(events, 'tools_matched')).toEqual([])
})
