import { createServer } from 'node:http'
import type { ModelList, ProviderInfo, ProviderList, ProviderTest } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const secret = 'sk-provider-canary-0123456789'

const add = (change: object, as: 'boss' | 'operator' | 'max' = 'boss') => {
  const usual = {
    name: 'Ours',
    kind: 'openai',
    base_url: `${server.model.url}/v1`,
    api_key: secret,
  }
  return server.ask<ProviderInfo>('POST', '/model-providers', { as, json: { ...usual, ...change } })
}

const change = (provider_id: string, json: object, as: 'boss' | 'operator' = 'boss') =>
  server.ask<ProviderInfo>('PUT', `/model-providers/${provider_id}`, { as, json })

const tryOut = (provider_id: string, json: object = {}) =>
  server.ask<ProviderTest>('POST', `/model-providers/${provider_id}/test`, { as: 'boss', json })

async function modelsFor(as: 'ada' | 'zoe') {
  const { body } = await server.ask<ModelList>('GET', '/models', { as })
  return body.models.map(({ model, is_default }) => [model, is_default])
}

describe('model providers', () => {
  test('bring models to their tenant, and show of their key the end alone', async () => {
    const made = await add({ provider_id: 'ours', models: ['standin', 'standin-len5'] })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ scope: 'tenant', api_key: { set: true, last4: '6789' } })
    expect(await modelsFor('ada')).toEqual([
      ['openai:standin', true],
      ['ours:standin', false],
      ['ours:standin-len5', false],
    ])
    expect(await modelsFor('zoe')).toEqual([['openai:standin', true]])
    const list = await server.ask<ProviderList>('GET', '/model-providers', { as: 'boss' })
    expect(list.body.providers).toContainEqual(made.body)
    expect((await server.ask('GET', '/model-providers')).status).toBe(403)
  })

  test('answer for agents that are given their models, with their key', async () => {
    const key = server.model.createKey()
    await add({ provider_id: 'keyed', models: ['standin'], api_key: key.apiKey })
    const agent = { assistant_id: 'keyed', name: 'Keyed', model: 'keyed:standin' }
    await server.ask('POST', '/agents', { as: 'boss', json: agent })
    const json = { message: 'Hi', assistant_id: 'keyed' }
    const { body } = await server.ask<{ events: object[] }>('POST', '/chat', { json })
    expect(body.events).toContainEqual(
      expect.objectContaining({ event_type: 'usage', model: 'keyed:standin' }),
    )
    expect(key.requests).toHaveLength(1)
  })

  test('speak the API of Anthropic too', async () => {
    const anthropic = { kind: 'anthropic', base_url: server.model.url, models: ['standin'] }
    await add({ provider_id: 'claude', ...anthropic })
    expect((await tryOut('claude')).body).toMatchObject({ ok: true, model: 'standin' })
    expect(server.model.requests.at(-1)).toMatchObject({ provider: 'anthropic', apiKey: secret })
  })

  test('of the platform serve every tenant, which sees no more of them than that', async () => {
    const shared = { provider_id: 'shared', scope: 'platform', models: ['standin'] }
    expect((await add(shared)).status).toBe(403)
    const made = await add(shared, 'operator')
    expect(made.body).toMatchObject({ scope: 'platform', api_key: { last4: '6789' } })
    expect(await modelsFor('zoe')).toContainEqual(['shared:standin', false])
    const list = await server.ask<ProviderList>('GET', '/model-providers', { as: 'max' })
    const seen = list.body.providers.find(({ provider_id }) => provider_id === 'shared')
    expect(seen).toMatchObject({ scope: 'platform', api_key: { set: true } })
    expect(JSON.stringify(seen)).not.toContain('6789')
    expect((await change('shared', { enabled: false })).status).toBe(403)
    expect((await change('shared', { enabled: false }, 'operator')).status).toBe(200)
    expect(await modelsFor('zoe')).not.toContainEqual(['shared:standin', false])
  })

  test('keep a key whose view is sent back, take a new one, and let it go', async () => {
    const key = server.model.createKey()
    const { body } = await add({ provider_id: 'kept', models: ['standin'], api_key: key.apiKey })
    await change('kept', { name: 'Renamed', api_key: body.api_key })
    await tryOut('kept')
    expect(key.requests).toHaveLength(1)
    const other = server.model.createKey()
    await change('kept', { api_key: other.apiKey })
    await tryOut('kept')
    expect([key.requests.length, other.requests.length]).toEqual([1, 1])
    expect((await change('kept', { api_key: null })).body.api_key).toBeNull()
  })

  test('do not send a kept key to another address', async () => {
    const { body } = await add({ provider_id: 'moved', models: ['standin'] })
    const away = { base_url: 'https://elsewhere.example/v1', api_key: body.api_key }
    for (const update of [away, { base_url: null }, { kind: 'anthropic' }]) {
      const refused = await change('moved', update)
      expect(refused).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
    }
    const given = { base_url: `${server.model.url}/v1/`, api_key: 'sk-another-key-0123456789' }
    expect((await change('moved', given)).status).toBe(200)
  })

  test('are refused with a password in their address', async () => {
    const refused = await add({
      provider_id: 'bad',
      models: ['m'],
      base_url: 'https://a:b@models.example/v1',
    })
    expect(refused).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
    expect(JSON.stringify(refused.body)).not.toContain('a:b')
  })

  test('are removed; an agent that used one says so', async () => {
    await add({ provider_id: 'gone', models: ['standin'] })
    const agent = { assistant_id: 'lost', name: 'Lost', model: 'gone:standin' }
    await server.ask('POST', '/agents', { as: 'boss', json: agent })
    const removed = await server.ask('DELETE', '/model-providers/gone', { as: 'boss' })
    expect(removed.status).toBe(204)
    const json = { message: 'Hi', assistant_id: 'lost' }
    const { body } = await server.ask('POST', '/chat', { json })
    expect(JSON.stringify(body)).toContain('names no known provider')
  })

  test('are noted without their keys, which are nowhere in the database as they are', async () => {
    await add({ provider_id: 'noted', models: ['m'], api_key: secret })
    const { body } = await server.ask('GET', '/audit/changes?kind=model_provider', { as: 'boss' })
    expect(JSON.stringify(body)).toContain('noted')
    const rows = await server.platform.tables.providers.list()
    const logged = JSON.stringify(server.records)
    for (const text of [JSON.stringify(body), JSON.stringify(rows), logged]) {
      expect(text).not.toContain('canary')
    }
  })
})

describe('a test of a provider', () => {
  test('tells how long a short answer took', async () => {
    await add({ provider_id: 'fine', models: ['standin'] })
    const { body } = await tryOut('fine')
    expect(body).toEqual({ ok: true, ms: expect.any(Number), model: 'standin' })
  })

  test.each([
    ['a wrong key', { api_key: 'sk-invalid-0123456789abcdef' }, 'does not accept the key'],
    ['an unknown model', { models: ['standin-nonsense'] }, 'does not know the model'],
    ['nobody there', { base_url: 'http://127.0.0.1:9/v1' }, 'no connection'],
    ['another address', { base_url: 'http://127.0.0.1:9/%' }, ''],
  ])('says in plain words what is wrong: %s', async (name, settings, words) => {
    const provider_id = name.replaceAll(' ', '-')
    await add({ provider_id, models: ['standin'], ...settings })
    const { status, body } = await tryOut(provider_id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: false, message: expect.stringContaining(words) })
    expect(body.message).not.toMatch(/invalid-0123|canary/)
  })

  test('does not wait for ever, and few are under way at once', { timeout: 40_000 }, async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    await add({ provider_id: 'silent', base_url: `http://127.0.0.1:${port}/v1`, models: ['x'] })
    const all = await Promise.all(Array.from({ length: 5 }, () => tryOut('silent')))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    const body = all.find(({ status }) => status === 200)?.body
    expect(body).toMatchObject({ ok: false, message: expect.stringContaining('15 seconds') })
    silent.closeAllConnections()
    silent.close()
  })

  test('needs a provider, and that a model', async () => {
    for (const models of [undefined, []])
      expect((await add({ provider_id: 'empty', models })).status).toBe(400)
    expect((await tryOut('nobody')).status).toBe(404)
  })
})

test('who names a provider that there is not is told of all there are', async () => {
  await add({ provider_id: 'told', models: ['standin'] })
  const json = { assistant_id: 'lost', name: 'Lost', model: 'nowhere:standin' }
  const { status, body } = await server.ask('POST', '/agents', { as: 'boss', json })
  expect(status).toBe(400)
  expect(body.message).toMatch(/one of: openai, anthropic, demo, .*told/)
})
