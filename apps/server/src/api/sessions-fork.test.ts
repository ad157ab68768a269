import type { EventsPage, MessagesPage, SessionInfo } from '@dataagent/schema'
import { createSecret } from '@dataagent/schema'
import { createDatabase, findService } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let source: string
beforeAll(async () => {
  server = await startTestPlatform()
  const { body } = await server.ask<SessionInfo>('POST', '/sessions', { json: { title: 'Plan' } })
  source = body.session_id
  for (const message of ['one', 'two']) await say(message, source)
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const say = (message: string, session_id: string) =>
  server.ask('POST', '/chat', { json: { message, session_id } })

const eventsOf = async (session_id: string) =>
  (await server.ask<EventsPage>('GET', `/sessions/${session_id}/events`)).body.events

async function contentsOf(session_id: string) {
  const { body } = await server.ask<MessagesPage>('GET', `/sessions/${session_id}/messages`)
  return body.messages.map(({ content }) => content)
}

async function fork(json: object, from = source): Promise<SessionInfo> {
  const { status, body } = await server.ask<SessionInfo>('POST', `/sessions/${from}/fork`, { json })
  expect(status).toBe(201)
  return body
}

describe('a fork', () => {
  test('is a session of its own that begins with the same log and history', async () => {
    const { session_id, title } = await fork({})
    expect(title).toBe('Plan (2)')
    const copied = (await eventsOf(source)).map((event) => ({ ...event, session_id }))
    expect(await eventsOf(session_id)).toEqual(copied)
    expect(await contentsOf(session_id)).toEqual(['one', 'You said: one', 'two', 'You said: two'])
  })

  test('goes through the turn that it is asked for', async () => {
    const events = await eventsOf(source)
    const reply = events.find(({ event_type }) => event_type === 'text')
    const { session_id } = await fork({ through_seq: reply?.seq, title: 'Other' })
    expect(await contentsOf(session_id)).toEqual(['one', 'You said: one'])
    expect((await eventsOf(session_id)).at(-1)).toMatchObject({ event_type: 'done' })
  })

  test('goes on with what was said, and the source does not hear of it', async () => {
    const before = await eventsOf(source)
    const { session_id } = await fork({})
    const asked = server.model.requests.length
    expect((await say('three', session_id)).status).toBe(200)
    const [request] = server.model.requests.slice(asked)
    expect(JSON.stringify(request)).toContain('You said: two')
    expect(await contentsOf(session_id)).toHaveLength(6)
    expect(await eventsOf(source)).toEqual(before)
  })

  test('of a fork counts on', async () => {
    const { session_id } = await fork({ title: 'Plan (9)' })
    expect((await fork({}, session_id)).title).toBe('Plan (10)')
  })

  test('of a session in which nothing was said is empty', async () => {
    const { body } = await server.ask<SessionInfo>('POST', '/sessions', { json: {} })
    const { session_id, title } = await fork({}, body.session_id)
    expect(title).toBeUndefined()
    expect(await eventsOf(session_id)).toEqual([])
  })

  test('leaves nothing where the log cannot be copied', async () => {
    const { stores, sessions } = server.platform
    const { session_id } = await sessions.getOrCreateSession({
      ...{ tenant_id: 'acme', user_id: 'bob', assistant_id: 'default' },
    })
    const entry = { kind: 'done', json: '{"event_type":"done"' }
    await stores.events.append(session_id, [entry])
    const refused = await server.ask('POST', `/sessions/${session_id}/fork`, {
      as: 'bob',
      json: {},
    })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(await stores.sessions.countByUser('acme', 'bob')).toBe(1)
  })
})

const image = { type: 'image', data: 'A'.repeat(900_000), mimeType: 'image/png' }
const session = { tenant_id: 'acme', user_id: 'ada', assistant_id: 'default' } as const

/** A session with 20 screenshots in its log. */
async function withImages({ stores, sessions }: TestPlatform['platform']): Promise<string> {
  const { session_id } = await sessions.getOrCreateSession(session)
  const log = async (kind: string, fields: object, seq: number) => {
    const place = { event_type: kind, timestamp: 1, session_id, seq, run_id: 'r1' }
    await stores.events.append(session_id, [
      { kind, json: JSON.stringify({ ...place, ...fields }) },
    ])
  }
  await log('user_message', { content: 'Look', message_id: 'm1' }, 1)
  for (let seq = 2; seq < 22; seq += 1) {
    const shown = { content: [image], with_text: false }
    const call = { tool_call_id: `c${seq}`, result: 'an image', status: 'success' }
    await log('tool_result', { ...call, shown }, seq)
  }
  await log('done', { cancelled: false }, 22)
  return session_id
}

describe.skipIf(!(await findService('mysql')))('a fork on mysql', () => {
  test('of a session with many images is whole', async () => {
    await using database = await createDatabase('mysql')
    const config = { session_store: 'mysql', database_url: createSecret(database.url) } as const
    await using own = await startTestPlatform({ config })
    const from = await withImages(own.platform)
    const { status, body } = await own.ask<SessionInfo>('POST', `/sessions/${from}/fork`, {
      json: {},
    })
    expect(status).toBe(201)
    const path = `/sessions/${body.session_id}/events?limit=200`
    const { body: page } = await own.ask<EventsPage>('GET', path)
    expect(page).toMatchObject({ head: 22, more: true })
    const { seq } = page.events.at(-1)!
    expect(seq).toBe(11)
    const { body: rest } = await own.ask<EventsPage>('GET', `${path}&after_seq=${seq}`)
    expect(rest.events[0]?.seq).toBe(12)
  }, 60_000)
})
