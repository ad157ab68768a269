import type {
  EventsPage,
  MessagesPage,
  RunsPage,
  SessionInfo,
  SessionsPage,
} from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Person,
  startTestPlatform,
  type TestPlatform,
  type TestRequest,
} from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

/** A session in which these messages were answered. */
async function talk(messages: readonly string[], as: Person = 'ada'): Promise<string> {
  const { body } = await server.ask<SessionInfo>('POST', '/sessions', { as, json: {} })
  const { session_id } = body
  for (const message of messages) {
    const answer = await server.ask('POST', '/chat', { as, json: { message, session_id } })
    expect(answer.status).toBe(200)
  }
  return session_id
}

const get = <T>(path: string, request?: TestRequest) => server.ask<T>('GET', path, request)

/** Sets up an agent whose model takes its time, and begins a turn with it. */
async function beginSlowTurn(): Promise<string> {
  const slow = { assistant_id: 'slow', name: 'Slow', model: 'openai:standin-ttft60000' }
  await server.ask('POST', '/agents', { as: 'boss', json: slow })
  const { body } = await server.ask<SessionInfo>('POST', '/sessions', {
    json: { assistant_id: 'slow' },
  })
  const { session_id } = body
  const turn = server.ask('POST', '/chat', { json: { message: 'Wait', session_id } })
  turn.catch(() => {})
  await waitFor(async () => (await statusOf(session_id)) === 'running')
  return session_id
}

async function statusOf(session_id: string) {
  return (await get<SessionInfo>(`/sessions/${session_id}`)).body.status
}

describe('sessions', () => {
  test('begin with an agent and a title, and have every field [D13.1] [D16.3]', async () => {
    const made = await server.ask<SessionInfo>('POST', '/sessions', { json: { title: ' Plans ' } })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      session_id: expect.any(String),
      ...{ user_id: 'ada', assistant_id: 'default', title: 'Plans' },
      ...{ status: 'idle', auto_approve: false, servers_off: [] },
      created_at: expect.any(Number),
      last_active: expect.any(Number),
    })
    expect((await get(`/sessions/${made.body.session_id}`)).body).toEqual(made.body)
  })

  test('are listed to their user alone, latest first, page by page [D16.2] [D32.1] [D32.5]', async () => {
    const mine = await talk(['Hello from Zoe'], 'zoe')
    const newest = await talk(['Hello again'], 'zoe')
    const page = await get<SessionsPage>('/sessions', { as: 'zoe' })
    expect(page.body).toMatchObject({ limit: 50, offset: 0, total: 2 })
    expect(page.body.sessions.map(({ session_id }) => session_id)).toEqual([newest, mine])
    const second = await get<SessionsPage>('/sessions?limit=1&offset=1', { as: 'zoe' })
    expect(second.body.sessions.map(({ session_id }) => session_id)).toEqual([mine])
  })

  test('are found by what was said in them and by their title, among one’s own [D32.1]', async () => {
    const said = await talk(['The quarterly zebra report'], 'bob')
    const named = await talk([], 'bob')
    await server.ask('PATCH', `/sessions/${named}`, { as: 'bob', json: { title: 'Zebra facts' } })
    await talk(['Another zebra'], 'ada')
    const { body } = await get<SessionsPage>('/sessions?q=zebra', { as: 'bob' })
    expect(body.total).toBe(2)
    expect(new Set(body.sessions.map(({ session_id }) => session_id))).toEqual(
      new Set([said, named]),
    )
  })

  test.each(['bob', 'boss', 'zoe', 'operator'] as const)(
    'of Ada are not found by %s, whatever is asked [D32.1] [D32.3]',
    async (as) => {
      const session_id = await talk(['Secret'])
      const one = `/sessions/${session_id}`
      const asked = [
        ...['', '/messages', '/events', '/runs', '/export'].map((end) =>
          get(`${one}${end}`, { as }),
        ),
        server.ask('PATCH', one, { as, json: { title: 'Mine' } }),
        server.ask('POST', `${one}/fork`, { as, json: {} }),
        server.ask('DELETE', one, { as }),
      ]
      for (const { status, body } of await Promise.all(asked)) {
        expect(status).toBe(404)
        expect(body).toMatchObject({ error_code: 'not_found' })
      }
      expect((await get(one)).status).toBe(200)
    },
  )

  test('are deleted with their history [D16.3]', async () => {
    const session_id = await talk(['Hello'])
    expect((await server.ask('DELETE', `/sessions/${session_id}`)).status).toBe(204)
    expect((await get(`/sessions/${session_id}`)).status).toBe(404)
    expect((await get(`/sessions/${session_id}/messages`)).status).toBe(404)
    expect((await server.ask('DELETE', `/sessions/${session_id}`)).status).toBe(404)
    expect(await server.platform.stores.messages.count(session_id)).toBe(0)
  })

  test('say that a run is under way, and are not deleted meanwhile', async () => {
    const session_id = await beginSlowTurn()
    const refused = await server.ask('DELETE', `/sessions/${session_id}`)
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    await server.ask('POST', `/chat/${session_id}/cancel`)
    await waitFor(async () => (await statusOf(session_id)) === 'idle')
    expect((await server.ask('DELETE', `/sessions/${session_id}`)).status).toBe(204)
  })

  test('are begun within the quota of the tenant, also where many are at once', async () => {
    const { tables, tenants } = server.platform
    await tables.tenants.update('globex', { max_sessions_per_user: 3 })
    await tenants.reload('globex')
    const begun = Array.from({ length: 8 }, () =>
      server.ask('POST', '/sessions', { as: 'max', json: {} }),
    )
    const answers = await Promise.all(begun)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused).toMatchObject({ status: 429, body: { error_code: 'quota_exceeded' } })
  })

  test('with an agent that there is not are refused', async () => {
    const json = { assistant_id: 'nobody' }
    expect((await server.ask('POST', '/sessions', { json })).status).toBe(404)
  })

  test('approve without asking where the tenant allows it, and that is noted', async () => {
    const session_id = await talk([])
    const one = `/sessions/${session_id}`
    const switched = await server.ask('PATCH', one, { json: { auto_approve: true } })
    expect(switched.body).toMatchObject({ auto_approve: true })
    const { body } = await get<{ changes: object[] }>('/audit/changes?kind=setting', { as: 'boss' })
    expect(body.changes).toContainEqual(
      expect.objectContaining({
        ...{ user_id: 'ada', action: 'enabled' },
        target: `session:${session_id}:auto_approve`,
      }),
    )
    const { tables, tenants } = server.platform
    await tables.tenants.update('acme', { features_enabled: ['*', '-auto_approve'] })
    await tenants.reload('acme')
    expect((await get(one)).body).toMatchObject({ auto_approve: false })
    expect((await server.ask('PATCH', one, { json: { auto_approve: false } })).status).toBe(200)
    const refused = await server.ask('PATCH', one, { json: { auto_approve: true } })
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'forbidden' } })
  })
})

describe('the history', () => {
  test('has each message of a finished turn, oldest first, page by page [D26.1] [D26.2] [D26.3] [D26.4] [D26.5]', async () => {
    const session_id = await talk(['one', 'two'])
    const { body } = await get<MessagesPage>(`/sessions/${session_id}/messages`)
    expect(body).toMatchObject({ limit: 50, offset: 0, total: 4 })
    expect(body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'You said: one'],
      ['user', 'two'],
      ['assistant', 'You said: two'],
    ])
    expect(Object.keys(body.messages[0] ?? {}).sort()).toEqual(
      ['message_id', 'session_id', 'role', 'content', 'created_at'].sort(),
    )
    const page = await get<MessagesPage>(`/sessions/${session_id}/messages?limit=2&offset=1`)
    expect(page.body.messages.map(({ content }) => content)).toEqual(['You said: one', 'two'])
  })

  test.each(['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'page=2'])(
    'is not given for %s',
    async (query) => {
      const session_id = await talk([])
      const answer = await get(`/sessions/${session_id}/messages?${query}`)
      expect(answer).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
    },
  )

  test('of events is given as it is stored, after any of them', async () => {
    const session_id = await talk(['Hello'])
    const all = await get<EventsPage>(`/sessions/${session_id}/events`)
    const { events, head, more } = all.body
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    expect([events.length, more]).toEqual([head, false])
    expect(all.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const page = await get<EventsPage>(`/sessions/${session_id}/events?after_seq=1&limit=1`)
    expect(page.body).toEqual({ events: [events[1]], head, more: true })
    const end = await get<EventsPage>(`/sessions/${session_id}/events?after_seq=${head}`)
    expect(end.body).toEqual({ events: [], head, more: false })
  })

  test('of turns tells what each has cost', async () => {
    const session_id = await talk(['one', 'two'])
    const { body } = await get<RunsPage>(`/sessions/${session_id}/runs?limit=1`)
    expect(body).toMatchObject({ total: 2, limit: 1 })
    expect(body.runs[0]).toMatchObject({ session_id, status: 'done', model: 'openai:standin' })
    expect(body.runs[0]?.prompt_tokens).toBeGreaterThan(0)
  })
})
