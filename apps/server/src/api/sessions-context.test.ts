import type { CompactResponse, ContextWeight, EventsPage, RunsPage } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const long = 'word '.repeat(200)
let server: TestPlatform
let session_id: string
let release: (() => void) | undefined
beforeAll(async () => {
  server = await startTestPlatform({
    async script({ turns }) {
      const asked = JSON.stringify(turns)
      if (asked.includes('write the notes')) return { text: 'They spoke of words.' }
      if (asked.includes('Wait!')) await new Promise<void>((resolve) => (release = resolve))
      return { text: long }
    },
  })
  session_id = await begin()
  for (let turn = 0; turn < 4; turn += 1) await say(long)
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const begin = async () =>
  (await server.ask<{ session_id: string }>('POST', '/sessions', { json: {} })).body.session_id
const say = (message: string) => server.ask('POST', '/chat', { json: { message, session_id } })
const compact = (of = session_id) => server.ask<CompactResponse>('POST', `/sessions/${of}/compact`)
const weigh = async () =>
  (await server.ask<ContextWeight>('GET', `/sessions/${session_id}/context`)).body

describe('a session', () => {
  test('is compacted: its log says so, and what it cost counts', async () => {
    const before = await weigh()
    const { status, body } = await compact()
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'compacted', tokens_before: before.history })
    if (body.status !== 'compacted') throw new Error(body.status)
    expect((await weigh()).history).toBe(body.tokens_after)
    const { body: log } = await server.ask<EventsPage>(
      ...(['GET', `/sessions/${session_id}/events?after_seq=${body.seq - 1}`] as const),
    )
    expect(log.events.map(({ event_type }) => event_type)).toEqual(['summary', 'usage', 'done'])
    const { body: runs } = await server.ask<RunsPage>('GET', `/sessions/${session_id}/runs`)
    expect(runs.runs[0]).toMatchObject({ status: 'done', model: 'openai:standin' })
  })

  test('in which little was said has nothing to shorten, and gets no run', async () => {
    const empty = await begin()
    expect((await compact(empty)).body).toEqual({ status: 'nothing_to_do' })
    const { body } = await server.ask<RunsPage>('GET', `/sessions/${empty}/runs`)
    expect(body.total).toBe(0)
  })

  test('that is busy is not compacted', async () => {
    const turn = say('Wait!')
    await expect.poll(() => release).toBeDefined()
    const { status, body } = await compact()
    expect({ status, body }).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    release?.()
    expect((await turn).status).toBe(200)
  })
})
