import type { TenantUsage, UsageReport } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({ script: () => 'Hello.' })
  for (const as of ['ada', 'ada', 'bob'] as const)
    await server.ask('POST', '/chat', { as, json: { message: 'hello' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const report = (query: string, as: Person = 'eve') =>
  server.ask<UsageReport>('GET', `/usage?${query}`, { as })

test('turns and tokens are told by user, model, assistant and day', async () => {
  const { body } = await report('by=user')
  expect(body.rows.map(({ key, runs }) => [key, runs])).toEqual([
    ['ada', 2],
    ['bob', 1],
  ])
  for (const { prompt_tokens } of body.rows) expect(prompt_tokens).toBeGreaterThan(0)
  for (const by of ['model', 'assistant', 'day']) {
    const { rows } = (await report(`by=${by}`)).body
    expect(rows.map(({ runs }) => runs)).toEqual([3])
  }
  expect((await report('by=day&user_id=bob')).body.rows).toMatchObject([{ runs: 1 }])
  expect((await report(`by=user&to=${Date.now() - 60_000}`)).body.rows).toEqual([])
})

describe('minutes', () => {
  const minute = 60_000
  const day = 24 * 60 * minute

  test('are all told, of the last day of what is asked', async () => {
    const { runs } = server.platform.tables
    const [one] = await runs.list({ tenant_id: 'acme', user_id: 'bob', limit: 1, offset: 0 })
    // The day begins and ends within a minute.
    const to = Math.floor(Date.now() / minute) * minute - 7 * day + minute / 2
    const begunAt = Array.from({ length: 1_500 }, (_, ago) => to - ago * minute)
    for (const started_at of [to - 1, ...begunAt]) {
      await runs.begin({ ...one!, run_id: crypto.randomUUID(), started_at })
    }
    const { body } = await report(`by=minute&user_id=bob&from=${to - 2 * day}&to=${to}`)
    expect(body).toMatchObject({ from: to - day, to })
    expect(body.rows).toHaveLength(1_441)
    expect(body.rows.at(-1)).toMatchObject({ key: keyOf(to), runs: 1 })
    const last = await report(`by=minute&user_id=bob&from=${to - minute}&to=${to}`)
    expect(last.body).toMatchObject({ from: to - minute, rows: [{ runs: 1 }, { runs: 1 }] })
    const days = await report(`by=day&from=${to - 2 * day}&to=${to}`)
    expect(days.body.from).toBe(to - 2 * day)
  })

  test('where nothing is said are those of the last day', async () => {
    const { from, to } = (await report('by=minute')).body
    expect(to - from).toBe(day)
  })

  const keyOf = (at: number) => `${new Date(at).toISOString().slice(0, 16)}Z`
})

test('are told to those who manage or audit the tenant', async () => {
  expect((await report('', 'ada')).status).toBe(403)
  expect((await report('by=user', 'max')).body.rows).toEqual([])
  expect((await report('tenant_id=acme', 'max')).status).toBe(404)
  expect((await report('tenant_id=acme&by=user', 'operator')).body.rows).toHaveLength(2)
})

test('what there is stands beside what there may be', async () => {
  const { body } = await server.ask<TenantUsage>('GET', '/tenants/acme/usage', { as: 'boss' })
  const limits = { max_users: null, max_mcp_servers: null }
  expect(body).toMatchObject({ tenant_id: 'acme', mcp_servers: 0, running_turns: 0, limits })
  expect(body.users).toBeGreaterThan(0)
})
