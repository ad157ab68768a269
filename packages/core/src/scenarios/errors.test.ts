import { getEventListeners } from 'node:events'
import { AppError } from '@dataagent/schema'
import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { collect, countingTool, of, person, startEngine, textOf } from '../engine/test-engine.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { createCountingClock } from './test-counting-clock.ts'
import { follow } from './test-follow.ts'
import { callsOnce } from './test-words.ts'

test('a tool that throws is told to the model, and the run goes on [D5.3] [D8.5] [D11.1]', async () => {
  const tool = countingTool('broken', {
    run() {
      throw new TypeError('undefined is not a function')
    },
  })
  await using engine = await startEngine({ tools: [tool], script: callsOnce(['broken']) })
  const events = await engine.say('Go')
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'error' }])
  expect(JSON.stringify(events)).not.toContain('undefined is not a function')
  expect(textOf(events)).toBe('All done.')
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
})

test('a tool that does not exist is told to the model, and the run goes on', async () => {
  await using engine = await startEngine({ script: callsOnce(['no_such_tool']) })
  const events = await engine.say('Go')
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'denied' }])
  expect(textOf(events)).toBe('All done.')
})

test("an error of a server's own over SSE is told, the run goes on with another tool, and the session with another turn [A4.3]", async () => {
  // Of its tools `tool_0` is one that it lists and does not know.
  await using upstream = await startHostileHttp('many_tools', { count: 1 })
  await using engine = await startEngine({ agent: { toolMode: 'always' } })
  const { hub, standIn } = engine
  const admin = { ...person, user_id: 'root', role: 'admin' } as const
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: '*' }, [{ server_id: '*', tool: '*' }])
  const config = { name: 'odd', url: upstream.sseUrl, transport: 'sse', maxRetries: 0 } as const
  const toolApproval = { '*': 'allow' } as const
  await hub.whenOffered(
    await hub.servers.register(admin, { scope: 'tenant', config: { ...config, toolApproval } }),
  )
  standIn.script([
    { toolCalls: [{ name: 'odd--tool_0', arguments: {} }] },
    { toolCalls: [{ name: 'odd--echo', arguments: { message: 'instead' } }] },
    'It went otherwise.',
    'Yes.',
  ])
  const events = await engine.say('Go')
  expect(of(events, 'tool_result')).toMatchObject([
    { status: 'error', outcome: 'error' },
    { status: 'success', outcome: 'ok' },
  ])
  const told = standIn.requests.map(({ turns }) => turns.at(-1)?.toolResults[0]?.text)
  expect(told[1]).toMatch(/mcp error -\d+/)
  expect(told[2]).toContain('instead')
  expect(textOf(events)).toBe('It went otherwise.')
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(textOf(await engine.say('Are you there?'))).toBe('Yes.')
})

const hooks = ['systemPrompt', 'beforeAgent', 'beforeModel', 'wrapModelCall', 'afterModel'] as const

test.each([...hooks, 'afterAgent'] as const)(
  'a middleware that throws in %s is an error event, and the next turn works [D5.3] [D11.1] [D11.4]',
  async (hook) => {
    const faulty = createFaulty(hook)
    const agent = { middleware: [faulty.middleware] }
    await using engine = await startEngine({ agent, script: () => ({ text: 'Hello.' }) })
    const events = await engine.say('Go')
    expect(of(events, 'error')).toMatchObject([{ recoverable: false, error_code: 'internal' }])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    faulty.mend()
    expect((await engine.say('And now?')).at(-1)).toMatchObject({ event_type: 'done' })
    expect(textOf(await engine.say('And now?'))).toBe('Hello.')
  },
)

test('a middleware that throws in wrapToolCall fails that call alone [D11.1]', async () => {
  const { middleware } = createFaulty('wrapToolCall')
  const tools = [countingTool('quick')]
  await using engine = await startEngine({
    ...{ tools, agent: { middleware: [middleware] }, script: callsOnce(['quick']) },
  })
  const events = await engine.say('Go')
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'error' }])
  expect(textOf(events)).toBe('All done.')
})

test('a session that is busy refuses a second message, and the first goes on [D11.3]', async () => {
  const gate = Promise.withResolvers<string>()
  const tools = [countingTool('slow', { run: () => gate.promise })]
  await using engine = await startEngine({ tools, script: callsOnce(['slow']) })
  const first = follow(engine.executor.execute('Go', engine.session_id, { principal: person }))
  await first.until('tool_started')
  const second = await engine.say('Me too')
  expect(second).toMatchObject([
    { event_type: 'error', recoverable: true, error_code: 'unavailable' },
  ])
  gate.resolve('ready')
  expect(textOf(await first.ended)).toBe('All done.')
  expect(textOf(await engine.say('And now?'))).toBe('All done.')
})

test('a message that is sent twice is one message [D11.4]', async () => {
  await using engine = await startEngine({ script: [{ text: 'One.' }] })
  await engine.say('Go', { message_id: 'm-1' })
  const again = await engine.say('Go', { message_id: 'm-1' })
  expect(again).toMatchObject([{ event_type: 'error', error_code: 'conflict' }])
  const elsewhere = engine.createExecutor().execute('Go', engine.session_id, {
    ...{ principal: person, message_id: 'm-1' },
  })
  expect(await collect(elsewhere)).toMatchObject([{ error_code: 'conflict' }])
  expect(engine.standIn.requests).toHaveLength(1)
})

test('a message id that no log can hold is refused, and the session goes on [D11.4]', async () => {
  await using engine = await startEngine({ script: () => ({ text: 'Hello.' }) })
  for (const message_id of ['', ' ', 'x'.repeat(1_000), '../etc']) {
    const events = await engine.say('Go', { message_id })
    expect(events).toMatchObject([{ event_type: 'error', error_code: 'invalid_request' }])
  }
  const other = engine.createExecutor()
  const events = await collect(other.execute('Go', engine.session_id, { principal: person }))
  expect(textOf(events)).toBe('Hello.')
})

test('a reader who leaves cancels the run, and nothing of it stays [D5.3] [D24.6]', async () => {
  const clock = createCountingClock()
  await using engine = await startEngine({ model: 'standin-itl20-len500', executor: { clock } })
  const signal = new AbortController().signal
  const context = { principal: person, signal }
  for await (const { event_type } of engine.executor.execute('Go', engine.session_id, context)) {
    if (event_type === 'text') break
  }
  await waitFor(() => engine.standIn.requests[0]?.outcome === 'disconnected')
  await waitFor(() => engine.standIn.active() === 0 && clock.waiting() === 0)
  await waitFor(() => getEventListeners(signal, 'abort').length === 0)
  engine.standIn.script([{ text: 'Still here.', itl: 0 }])
  expect(textOf(await waitForTurn(engine))).toBe('Still here.')
  const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
  expect(rows.filter(({ kind }) => kind === 'done').map(({ json }) => json)).toMatchObject([
    ...[expect.stringContaining('"cancelled":true'), expect.stringContaining('"cancelled":false')],
  ])
})

test('a reader who asks for several events at once gets each of them, in order [D5.1]', async () => {
  await using engine = await startEngine({ script: [{ text: 'Hello.' }] })
  const run = engine.executor.execute('Go', engine.session_id, { principal: person })
  const reader = run[Symbol.asyncIterator]()
  const read = await Promise.all(Array.from({ length: 10 }, () => reader.next()))
  const events = read.flatMap(({ done, value }) => (done ? [] : [value]))
  expect(events[0]).toMatchObject({ event_type: 'user_message' })
  expect(events.at(-1)).toMatchObject({ event_type: 'done' })
  expect(read.at(-1)?.done).toBe(true)
})

test('a reader who leaves before the first event begins nothing [D5.3]', async () => {
  await using engine = await startEngine({ script: [{ text: 'Hello.' }] })
  const run = engine.executor.execute('Go', engine.session_id, { principal: person })
  const reader = run[Symbol.asyncIterator]()
  await reader.return?.()
  expect(await reader.next()).toMatchObject({ done: true })
  expect(textOf(await engine.say('Go'))).toBe('Hello.')
  expect(await engine.sql.events.tail(engine.session_id, 1)).toMatchObject([{ kind: 'done' }])
  const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
  expect(rows.filter(({ kind }) => kind === 'user_message')).toHaveLength(1)
})

test('with `finish`, a run whose reader leaves goes on to its end [D5.3]', async () => {
  const tools = [countingTool('quick')]
  await using engine = await startEngine({
    ...{ tools, script: callsOnce(['quick']), executor: { onLeave: 'finish' } },
  })
  const run = engine.executor.execute('Go', engine.session_id, { principal: person })
  for await (const _ of run) break
  const rows = await waitFor(async () => {
    const all = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
    return all.at(-1)?.kind === 'done' ? all : undefined
  })
  expect(rows.at(-1)?.json).toContain('"cancelled":false')
  expect(tools[0]?.runs).toHaveLength(1)
})

test('runs of every kind leave no timer and no listener behind [D24.6] [F32]', async () => {
  const clock = createCountingClock()
  const tools = [countingTool('quick'), countingTool('send', { approval: 'ask' })]
  await using engine = await startEngine({
    ...{ tools, executor: { clock }, script: callsOnce(['quick', 'send']) },
  })
  const { signal } = new AbortController()
  for (const kind of ['everything', 'nothing'] as const) {
    const approvals = kind === 'nothing' ? { kind } : { kind, setting: 'test' }
    await engine.say('Go', { signal, approvals })
  }
  engine.standIn.script([{ error: 500 }])
  await engine.say('Go', { signal })
  await waitFor(() => clock.waiting() === 0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(engine.standIn.active()).toBe(0)
})

function createFaulty(hook: keyof AgentMiddleware) {
  let isFaulty = true
  const fail = (request: unknown, next: unknown) => {
    if (isFaulty) throw new TypeError(`no ${hook}`)
    return typeof next === 'function' ? next(request) : undefined
  }
  return {
    middleware: { name: 'faulty', [hook]: fail } as unknown as AgentMiddleware,
    mend() {
      isFaulty = false
    },
  }
}

/** A turn, once the run before it has let the session go. */
function waitForTurn(engine: Awaited<ReturnType<typeof startEngine>>) {
  return waitFor(async () => {
    const events = await engine.say('And now?')
    if (of(events, 'error').length > 0) throw new AppError('unavailable', 'busy')
    return events
  })
}
