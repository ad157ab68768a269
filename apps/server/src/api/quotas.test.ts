import type { AgentDetails } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRow } from '../ports/index.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { keysPerUser, tenantQuotas } from './quotas.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const full = { status: 429, body: { error_code: 'quota_exceeded' } }
const times = { tenant_id: 'acme', created_at: 1, updated_at: 1 }
const post = <T>(path: string, json: object, as: 'ada' | 'boss' | 'max' = 'boss') =>
  server.ask<T>('POST', path, { as, json })

describe('what a tenant may have has an end, which is told', () => {
  test('of agents', async () => {
    const { body } = await post<AgentDetails>('/agents', { assistant_id: 'first', name: 'First' })
    for (let n = 1; n < tenantQuotas.agents; n++) {
      const row = { ...(body as unknown as AgentRow), ...times, assistant_id: `a${n}` }
      await server.platform.tables.agents.create(row)
    }
    const one = { assistant_id: 'last', name: 'Last' }
    expect(await post('/agents', one)).toMatchObject(full)
    expect((await post('/agents', one, 'max')).status).toBe(201)
    await server.ask('DELETE', '/agents/first', { as: 'boss' })
    expect((await post('/agents', one)).status).toBe(201)
  })

  test('of model providers', async () => {
    const fields = { name: 'Ours', kind: 'openai', base_url: null, models: ['m'], enabled: true }
    for (let n = 0; n < tenantQuotas.providers; n++) {
      const row = { ...fields, ...times, provider_id: `p${n}`, api_key: null, calls_tools: true }
      await server.platform.tables.providers.create({ ...row, kind: 'openai' })
    }
    const one = { ...fields, provider_id: 'last', base_url: 'https://models.example', api_key: 'k' }
    expect(await post('/model-providers', one)).toMatchObject(full)
    expect((await post('/model-providers', one, 'max')).status).toBe(201)
  })

  test('of the keys of a user that can be used', async () => {
    const path = '/users/ada/api-keys'
    const make = () => post<{ key_id: string }>(path, { name: 'mine' }, 'ada')
    const { body } = await make()
    const { apiKeys } = server.platform.tables
    const stored = await apiKeys.get('acme', body.key_id)
    for (let n = 1; n < keysPerUser; n++) {
      await apiKeys.create({ ...stored!, key_id: `k${n}`, hashed_api_key: `h${n}` })
    }
    expect(await make()).toMatchObject(full)
    await server.ask('DELETE', `${path}/${body.key_id}`, { as: 'ada' })
    expect((await make()).status).toBe(201)
  })
})
