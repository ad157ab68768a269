import type { FeedbackPage } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({ script: () => 'Hello.' })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A session with one turn, and where what is thought of that is. */
async function aTurn(as: Person = 'ada'): Promise<{ session: string; path: string }> {
  const { body } = await server.ask('POST', '/chat', { as, json: { message: 'Hi' } })
  const session = `/sessions/${body.session_id}`
  return { session, path: `${session}/turns/1/feedback` }
}

const rate = (path: string, json: object, as: Person = 'ada') =>
  server.ask('PUT', path, { as, json })
const listed = async (path: string, as: Person = 'ada') =>
  (await server.ask<FeedbackPage>('GET', path, { as })).body.feedback

describe('feedback', () => {
  test('is kept, changed and taken back', async () => {
    const { session, path } = await aTurn()
    const { status, body } = await rate(path, { rating: 'down', reason: ' Wrong city ' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ seq: 1, user_id: 'ada', rating: 'down', reason: 'Wrong city' })
    expect(body).not.toHaveProperty('tenant_id')
    await rate(path, { rating: 'up' })
    expect(await listed(`${session}/feedback`)).toMatchObject([{ rating: 'up', reason: null }])
    expect((await server.ask('DELETE', path)).status).toBe(204)
    expect(await listed(`${session}/feedback`)).toEqual([])
  })

  test('is of a turn that there is, and says which way', async () => {
    const { session, path } = await aTurn()
    for (const seq of [2, 99]) {
      const none = await rate(`${session}/turns/${seq}/feedback`, { rating: 'up' })
      expect(none.status).toBe(404)
    }
    expect((await rate(path, { rating: 'so-so' })).status).toBe(400)
    expect((await rate(path, { rating: 'up', reason: 'x'.repeat(2001) })).status).toBe(400)
  })

  test('of another is not there, nor can it be given for them', async () => {
    const { session, path } = await aTurn()
    await rate(path, { rating: 'down', reason: 'Private' })
    for (const as of ['bob', 'boss', 'zoe', 'max'] as const) {
      expect((await rate(path, { rating: 'up' }, as)).status).toBe(404)
      expect((await server.ask('GET', `${session}/feedback`, { as })).status).toBe(404)
      expect((await server.ask('DELETE', path, { as })).status).toBe(404)
    }
    expect(await listed(`${session}/feedback`)).toMatchObject([{ reason: 'Private' }])
  })

  test('is read by administrators, each of their own tenant', async () => {
    const { path } = await aTurn('bob')
    await rate(path, { rating: 'down', reason: 'Of acme' }, 'bob')
    const other = await aTurn('zoe')
    await rate(other.path, { rating: 'up', reason: 'Of the other' }, 'zoe')
    expect(await listed('/feedback?user_id=bob', 'boss')).toMatchObject([{ reason: 'Of acme' }])
    expect(await listed('/feedback?rating=up&user_id=bob', 'boss')).toEqual([])
    const theirs = await listed('/feedback', 'max')
    expect(theirs.map(({ reason }) => reason)).toEqual(['Of the other'])
    expect((await server.ask('GET', '/feedback?tenant_id=acme', { as: 'max' })).status).toBe(404)
    expect((await server.ask('GET', '/feedback')).status).toBe(403)
  })

  test('goes with its session', async () => {
    const { session, path } = await aTurn('ada')
    await rate(path, { rating: 'down', reason: 'To be deleted' })
    await server.ask('DELETE', session)
    const all = await listed('/feedback', 'boss')
    expect(all.map(({ reason }) => reason)).not.toContain('To be deleted')
  })

  test('goes with a session that expires', async () => {
    const { session, path } = await aTurn('ada')
    await rate(path, { rating: 'down', reason: 'To expire' })
    const { stores, sessions } = server.platform
    const session_id = session.replace('/sessions/', '')
    await stores.sessions.update('acme', session_id, () => ({ last_active: 1 }))
    expect(await sessions.sweep()).toEqual([session_id])
    const all = await listed('/feedback', 'boss')
    expect(all.map(({ reason }) => reason)).not.toContain('To expire')
  })
})
