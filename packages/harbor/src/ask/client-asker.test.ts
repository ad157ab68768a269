import { createClient } from '@dataagent/client'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type ClientAskerOptions, createClientAsker } from './client-asker.ts'
import { type AgentServer, done, startAgentServer, text } from './test-agent-server.ts'

const signal = () => AbortSignal.timeout(30_000)

function askerOf({ baseUrl }: AgentServer, options: Partial<ClientAskerOptions> = {}) {
  const client = createClient({ baseUrl, apiKey: 'key' })
  return createClientAsker({ client, transport: 'rest', approve: 'never', ...options })
}

const call = (id: string, tool_name: string) => ({
  ...{ event_type: 'tool_call', tool_call_id: id, tool_name, tool_args: { sql: 'SELECT 1' } },
})
const result = (id: string, told: unknown, status = 'success') => ({
  ...{ event_type: 'tool_result', tool_call_id: id, result: told, status, duration_ms: 7 },
})

test('a question has a session of its own, and its answer is the last reply [D27.6]', async () => {
  const rows = { columns: [{ name: 'n', type: 'int' }], rows: [[42]] }
  await using server = await startAgentServer({
    turn({ send }) {
      send(text('Let me look.'))
      send(call('c1', 'data.run_sql'))
      send(result('c1', JSON.stringify(rows)))
      send(call('c2', 'mall.order'))
      send(result('c2', 'no such order', 'error'))
      send(call('c3', 'mall.slow'))
      send({ ...text('There are '), is_final: false })
      send(text('42.'))
      for (const cost of [0.5, 0.25])
        send({
          ...{ event_type: 'usage', model: 'm', tool_mode: 'always', prompt_tokens: 10 },
          ...{ completion_tokens: 2, always_prompt_tokens: 10, cached_tokens: 1, cost },
        })
    },
  })
  await using asker = askerOf(server, { assistant_id: 'analyst' })
  const outcome = await asker.ask(`How many?\n${'x'.repeat(200)}`, { signal: signal() })
  expect(outcome).toMatchObject({
    ...{ session_id: 's1', answer: 'There are 42.', error: null, isDenied: false },
    tools: [
      { name: 'data.run_sql', status: 'success', ms: 7 },
      { name: 'mall.order', status: 'error', ms: 7 },
      { name: 'mall.slow', status: 'error', ms: null },
    ],
    tables: [{ columns: ['n'], rows: [[42]] }],
    usage: { prompt_tokens: 20, completion_tokens: 4, cached_tokens: 2, cost: 0.75 },
  })
  expect(outcome.first_event_ms).toBeGreaterThan(0)
  expect(outcome.first_text_ms).toBeLessThanOrEqual(outcome.total_ms)
  expect(outcome.events?.map(({ event_type, text }) => [event_type, text.slice(0, 22)])).toEqual([
    ...[
      ['text', 'Let me look.'],
      ['tool_call', 'data.run_sql {"sql":"S'],
    ],
    ...[
      ['tool_result', 'success: {"columns":[{'],
      ['tool_call', 'mall.order {"sql":"SEL'],
    ],
    ...[
      ['tool_result', 'error: no such order'],
      ['tool_call', 'mall.slow {"sql":"SELE'],
    ],
    ...[
      ['text', 'There are 42.'],
      ['done', ''],
    ],
  ])
  const [created] = server.requests
  expect(created?.body).toEqual({
    ...{ assistant_id: 'analyst', title: expect.stringMatching(/^Harbor: How many\? x{70}…$/) },
  })
})

test('no request takes of what a server notes in an hour: a load is more than that', async () => {
  await using server = await startAgentServer({ turn: ({ send }) => send(text('42')) })
  await using asker = askerOf(server)
  await asker.ask('?', { signal: signal() })
  expect(server.requests.map(({ path, isKeyed }) => [path, isKeyed])).toEqual([
    ['/sessions', false],
    ['/chat', false],
  ])
})

test('stopped, a turn is cancelled on the server too, and its outcome is there soon', async () => {
  let wasCancelled = false
  const begun = Promise.withResolvers<void>()
  await using server = await startAgentServer({
    async turn({ send, cancelled }) {
      send(text('So far.'))
      begun.resolve()
      await cancelled
      wasCancelled = true
      send(done(true))
    },
  })
  await using asker = askerOf(server)
  const stop = new AbortController()
  const asking = asker.ask('?', { signal: stop.signal })
  await begun.promise
  stop.abort()
  expect(await asking).toMatchObject({ error: { code: 'cancelled' }, answer: 'So far.' })
  expect(wasCancelled).toBe(true)
  expect(server.requests.map(({ path }) => path)).toEqual(['/sessions', '/chat', '/chat/s1/cancel'])
})

test('a server that does not hear of it is left within two seconds', async () => {
  const begun = Promise.withResolvers<void>()
  await using server = await startAgentServer({
    turn: () => {
      begun.resolve()
      return new Promise(() => {})
    },
  })
  await using asker = askerOf(server)
  const stop = new AbortController()
  const asking = asker.ask('?', { signal: stop.signal })
  await begun.promise
  const stopped = performance.now()
  stop.abort()
  expect(await asking).toMatchObject({ error: { code: 'cancelled' } })
  // Five times the room of the contract.
  expect(performance.now() - stopped).toBeLessThan(10_000)
})

test('one that is stopped before it begins asks nothing', async () => {
  await using server = await startAgentServer({ turn() {} })
  await using asker = askerOf(server)
  const outcome = await asker.ask('?', { signal: AbortSignal.abort() })
  expect(outcome).toMatchObject({ session_id: null, error: { code: 'cancelled' } })
  expect(server.requests).toEqual([])
})

const request = {
  ...{ event_type: 'hitl_request', approval_id: 'a1' },
  action_request: { name: 'mall.delete', args: {}, description: '' },
}
const decided = (type: string) => ({
  ...{ event_type: 'approval_decided', approval_id: 'a1', via: 'person', decided_by: null },
  decision: { type, message: 'no' },
})

/** A turn that asks for leave, and ends or goes on as it is told. */
async function startAskingServer() {
  const decision = Promise.withResolvers<Record<string, unknown>>()
  const server = await startAgentServer({
    async turn({ send }) {
      send(request)
      const { type, on_reject } = await decision.promise
      send(decided(`${type}`))
      if (on_reject === 'tell') send(text('Then not.'))
      else send(done(true))
    },
    answer({ path, body }) {
      if (path !== '/approvals/a1/decide') return undefined
      decision.resolve(body)
      return { status: 500, body: {} }
    },
  })
  return { server, decision: decision.promise }
}

test('first event and first text are when they came, not when the turn ended', async () => {
  const heard = { a1: Promise.withResolvers<void>(), a2: Promise.withResolvers<void>() }
  const moments: number[] = []
  await using server = await startAgentServer({
    async turn({ send }) {
      // Who asks for leave is answered: so what was sent before has arrived.
      send(request)
      await heard.a1.promise
      moments.push(performance.now())
      send({ ...text('4'), is_final: false })
      send({ ...request, approval_id: 'a2' })
      await heard.a2.promise
      moments.push(performance.now())
      send(text('2'))
    },
    answer({ path }) {
      const [, approval_id] = path.match(/^\/approvals\/(a1|a2)\/decide$/) ?? []
      if (approval_id === undefined) return undefined
      heard[approval_id as keyof typeof heard].resolve()
      return { status: 409, body: {} }
    },
  })
  await using asker = askerOf(server)
  const begun = performance.now()
  const { first_event_ms, first_text_ms, total_ms } = await asker.ask('?', { signal: signal() })
  const [beforeText = 0, beforeEnd = 0] = moments.map((moment) => moment - begun)
  expect(first_event_ms).toBeLessThanOrEqual(beforeText)
  expect(first_text_ms).toBeLessThanOrEqual(beforeEnd)
  expect(first_text_ms).toBeGreaterThan(Number(first_event_ms))
  expect(total_ms).toBeGreaterThan(Number(first_text_ms))
})

test.each([
  ['never', { isDenied: true, answer: '', error: null }, 'end'],
  ['auto', { isDenied: true, answer: '', error: null }, 'end'],
  ['policy', { isDenied: false, answer: 'Then not.', error: null }, 'tell'],
] as const)('approve %s: what still asks is rejected', async (approve, expected, on_reject) => {
  const { server, decision } = await startAskingServer()
  await using _server = server
  await using asker = askerOf(server, { approve })
  expect(await asker.ask('Delete it', { signal: signal() })).toMatchObject(expected)
  expect(await decision).toMatchObject({ type: 'reject', on_reject })
  const patches = server.requests.filter(({ method }) => method === 'PATCH')
  expect(patches.map(({ body }) => body)).toEqual(
    approve === 'auto' ? [{ auto_approve: true }] : [],
  )
})

test('an error of the turn and one of the server are told by their code', async () => {
  await using server = await startAgentServer({
    turn({ send }) {
      send(text('So'))
      send({
        ...{ event_type: 'error', error: 'The model is away.', recoverable: true },
        error_code: 'upstream_failed',
      })
    },
    answer: ({ body }) =>
      body.assistant_id === 'gone'
        ? { status: 404, body: { message: 'No such agent.', error_code: 'not_found' } }
        : undefined,
  })
  await using asker = askerOf(server)
  const error = { code: 'upstream_failed', message: 'The model is away.' }
  expect(await asker.ask('?', { signal: signal() })).toMatchObject({ error, answer: 'So' })
  await using lost = askerOf(server, { assistant_id: 'gone' })
  expect(await lost.ask('?', { signal: signal() })).toMatchObject({
    ...{ session_id: null, error: { code: 'not_found', message: 'No such agent.' } },
  })
})

test('what a server refuses for a moment is asked again, what it refuses for good is told', async () => {
  let refusals = 0
  await using server = await startAgentServer({
    turn: ({ send }) => send(text('42')),
    answer({ body }) {
      const isOver = body.assistant_id === 'over'
      if (!isOver && refusals++ > 0) return undefined
      const error_code = isOver ? 'quota_exceeded' : 'unavailable'
      return { status: isOver ? 429 : 503, body: { message: 'Not now.', error_code } }
    },
  })
  await using asker = askerOf(server)
  expect(await asker.ask('?', { signal: signal() })).toMatchObject({ error: null, answer: '42' })
  await using over = askerOf(server, { assistant_id: 'over' })
  expect(await over.ask('?', { signal: signal() })).toMatchObject({
    error: { code: 'quota_exceeded', message: 'Not now.' },
  })
})

test('an error after which the agent goes on is none', async () => {
  await using server = await startAgentServer({
    turn({ send }) {
      send({ event_type: 'error', error: 'Once more.', recoverable: true })
      send(text('42'))
    },
  })
  await using asker = askerOf(server)
  expect(await asker.ask('?', { signal: signal() })).toMatchObject({ error: null, answer: '42' })
})

test('a turn that somebody else cancels is an error', async () => {
  await using server = await startAgentServer({ turn: ({ send }) => send(done(true)) })
  await using asker = askerOf(server)
  expect(await asker.ask('?', { signal: signal() })).toMatchObject({ error: { code: 'cancelled' } })
})

test('sessions stay, or are deleted apart from what is measured', async () => {
  await using server = await startAgentServer({ turn: ({ send }) => send(text('42')) })
  {
    await using asker = askerOf(server)
    await asker.ask('?', { signal: signal() })
  }
  const deletions = () => server.requests.filter(({ method }) => method === 'DELETE')
  expect(deletions()).toEqual([])
  {
    await using asker = askerOf(server, { keepSessions: false })
    await asker.ask('?', { signal: signal() })
  }
  expect(deletions().map(({ path }) => path)).toEqual(['/sessions/s2'])
})

test('askings share connections: there are as many as are under way', async () => {
  await using server = await startAgentServer({ turn: ({ send }) => send(text('42')) })
  await using asker = askerOf(server)
  const user = async () => {
    for (let asked = 0; asked < 8; asked += 1) await asker.ask('?', { signal: signal() })
  }
  await Promise.all(Array.from({ length: 10 }, user))
  expect(server.requests.filter(({ path }) => path === '/chat')).toHaveLength(80)
  await waitFor(async () => (await server.connections()) <= 20, { what: 'few connections' })
})

test('a query is run on the named source, and all of its rows are read', async () => {
  const columns = [{ name: 'n', type: 'INTEGER', kind: 'integer' }]
  const pages = [[[1], [2]], [[3]]]
  const query = {
    ...{ query_id: 'q-1', ref: 'q1', source_id: 'src', source_name: 'retail', sql: 'SELECT n' },
    ...{ columns, rows: [[1]], row_count: 3, kept_rows: 3, elapsed_ms: 1, as_of: 1 },
  }
  await using server = await startAgentServer({
    turn() {},
    answer: ({ method }) => {
      if (method === 'POST') return { status: 201, body: query }
      const page = { total: 3, limit: 1_000, offset: 0 }
      return { status: 200, body: { columns, rows: pages.shift(), row_count: 3, ...page } }
    },
  })
  await using asker = askerOf(server, { sqlSource: 'retail' })
  expect(await asker.runSql?.('SELECT n', { signal: signal() })).toEqual({
    ...{ columns: ['n'], rows: [[1], [2], [3]] },
  })
  expect(server.requests).toMatchObject([
    { path: '/data/queries', body: { source: 'retail', sql: 'SELECT n' } },
    ...[{ path: '/data/queries/q-1/rows' }, { path: '/data/queries/q-1/rows' }],
  ])
})

test('all rows are read of a query that a turn has shown the first of', async () => {
  const columns = [{ name: 'n', type: 'INTEGER', kind: 'integer' }]
  const pages = [[[1], [2]], [[3]]]
  await using server = await startAgentServer({
    turn() {},
    answer: () => {
      const page = { total: 3, limit: 1_000, offset: 0 }
      return { status: 200, body: { columns, rows: pages.shift(), row_count: 3, ...page } }
    },
  })
  await using asker = askerOf(server)
  const kept = { query_id: 'q-1', kept_rows: 3 }
  expect(await asker.readRows?.(kept, { signal: signal() })).toEqual([[1], [2], [3]])
  expect(server.requests.map(({ path }) => path)).toEqual([
    ...['/data/queries/q-1/rows', '/data/queries/q-1/rows'],
  ])
})

test('a query that the source refuses is no table, and without a source none is run', async () => {
  const body = { message: 'No such table.', error_code: 'invalid_request' }
  await using server = await startAgentServer({
    turn() {},
    answer: () => ({ status: 400, body }),
  })
  await using asker = askerOf(server, { sqlSource: 'retail' })
  await expect(asker.runSql?.('x', { signal: signal() })).rejects.toThrow('No such table.')
  expect(askerOf(server).runSql).toBeUndefined()
})
