import type { RunsPage } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
  const broken = { assistant_id: 'broken', name: 'Broken', model: 'openai:standin-err400' }
  await server.ask('POST', '/agents', { as: 'boss', json: broken })
  await say('ada')
  await say('ada', { assistant_id: 'broken' })
  await say('bob')
  await say('zoe')
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const say = (as: Person, more: object = {}) =>
  server.ask('POST', '/chat', { as, json: { message: 'Hi', ...more } })

async function usersOf(query: string, as: Person): Promise<string[]> {
  const { body } = await server.ask<RunsPage>('GET', `/runs${query}`, { as })
  return body.runs.map(({ user_id }) => user_id)
}

describe('turns', () => {
  test('are one’s own, newest first', async () => {
    const { body } = await server.ask<RunsPage>('GET', '/runs')
    expect(body).toMatchObject({ total: 2, limit: 50, offset: 0 })
    expect(body.runs.map(({ status }) => status)).toEqual(['error', 'done'])
    expect(body.runs[0]).not.toHaveProperty('owner')
    const failed = await server.ask<RunsPage>('GET', '/runs?status=error')
    expect(failed.body).toMatchObject({ total: 1, runs: [{ assistant_id: 'broken' }] })
  })

  test('of others are seen by administrators of the tenant alone', async () => {
    expect(await usersOf('?all=true', 'boss')).toEqual(['bob', 'ada', 'ada'])
    expect(await usersOf('?user_id=bob', 'boss')).toEqual(['bob'])
    expect(await usersOf('?all=true', 'max')).toEqual(['zoe'])
    expect(await usersOf('?user_id=ada', 'max')).toEqual([])
    expect((await server.ask('GET', '/runs?all=true')).status).toBe(403)
    expect((await server.ask('GET', '/runs?user_id=bob')).status).toBe(404)
  })
})
