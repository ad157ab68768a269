import type { TenantUsage, UsageReport } from '@dataagent/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
