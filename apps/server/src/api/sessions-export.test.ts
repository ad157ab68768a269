import type { EventsPage, SessionInfo } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let source: string
beforeAll(async () => {
  server = await startTestPlatform()
  const { body } = await server.ask<SessionInfo>('POST', '/sessions', { json: { title: 'Plan' } })
  source = body.session_id
  for (const message of ['one', 'two'])
    await server.ask('POST', '/chat', { json: { message, session_id: source } })
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

describe('an export', () => {
  test('as JSON holds the session, its messages and its events', async () => {
    const { headers, body } = await server.ask('GET', `/sessions/${source}/export`)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${source}.json"`)
    expect(body).toMatchObject({ session: { session_id: source, title: 'Plan' } })
    expect(body.messages).toHaveLength(4)
    const log = await server.ask<EventsPage>('GET', `/sessions/${source}/events`)
    expect(body.events).toEqual(log.body.events)
  })

  test('as Markdown reads as a conversation', async () => {
    const { headers, body } = await server.ask<string>(
      'GET',
      `/sessions/${source}/export?format=markdown`,
    )
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(body).toMatch(
      /^# Plan\n\n## User, \d{4}-.*Z\n\none\n\n## Assistant, .*\n\nYou said: one\n/,
    )
  })

  test('of a session in which nothing was said is whole', async () => {
    const { body } = await server.ask<SessionInfo>('POST', '/sessions', { json: {} })
    const answer = await server.ask('GET', `/sessions/${body.session_id}/export`)
    expect(answer.body).toMatchObject({ messages: [], events: [] })
  })
})
