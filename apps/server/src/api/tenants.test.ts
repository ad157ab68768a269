import type { ServerInfo, Tenant, TenantList, TenantUsage, ToolsPage } from '@dataagent/schema'
import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({
    config: { multi_tenant: true, allowed_addresses: ['127.0.0.1'] },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const patch = (change: object, tenant_id = 'acme') =>
  server.ask<Tenant>('PATCH', `/tenants/${tenant_id}`, { as: 'operator', json: change })

describe('a tenant', () => {
  const full = {
    ...{ tenant_id: 'initech', name: 'Initech', max_users: 10, max_sessions_per_user: 5 },
    ...{ max_mcp_servers: 3, workspace_quota: 1_000_000, features_enabled: ['*', '-mcp:wiki'] },
  }

  test('is added, read and changed, and each change is noted [D35.2] [D35.3]', async () => {
    const added = await server.ask('POST', '/tenants', { as: 'operator', json: full })
    expect(added).toMatchObject({ status: 201, body: full })
    const again = await server.ask('POST', '/tenants', { as: 'operator', json: full })
    expect(again.status).toBe(409)
    const changed = await patch({ max_users: 11 }, 'initech')
    expect(changed.body).toEqual({ ...added.body, max_users: 11 })
    const one = await server.ask('GET', '/tenants/initech', { as: 'operator' })
    expect(one.body).toEqual(changed.body)
    const listed = await server.ask<TenantList>('GET', '/tenants', { as: 'operator' })
    const ids = listed.body.tenants.map(({ tenant_id }) => tenant_id)
    expect(ids).toEqual(['acme', 'default', 'globex', 'initech'])
    expect(listed.body.total).toBe(4)
    const nobody = await patch({ max_users: 1 }, 'nobody')
    expect(nobody.status).toBe(404)
    const manager = { tenant_id: 'initech', user_id: 'ina', role: 'admin' } as const
    const { audit } = server.platform.hub
    const changes = await audit.changes(manager, { kind: 'tenant', limit: 10, offset: 0 })
    const by = { by_tenant: 'default', user_id: 'operator' }
    expect(changes).toMatchObject([
      { ...by, action: 'changed', before: expect.stringContaining('"max_users":10') },
      { ...by, action: 'added' },
    ])
  })

  test('is managed by platform administrators alone: others are refused [D35.3]', async () => {
    for (const as of ['ada', 'boss', 'eve', 'max'] as const) {
      const tries = [
        server.ask('GET', '/tenants', { as }),
        server.ask('POST', '/tenants', { as, json: { ...full, tenant_id: 'mine' } }),
        server.ask('PATCH', '/tenants/acme', { as, json: { max_users: null } }),
      ]
      for (const { status } of await Promise.all(tries)) expect([as, status]).toEqual([as, 403])
    }
  })

  test('is seen by those who manage or audit it, and not by others', async () => {
    for (const as of ['boss', 'eve', 'operator'] as const)
      expect((await server.ask('GET', '/tenants/acme', { as })).status).toBe(200)
    expect((await server.ask('GET', '/tenants/acme', { as: 'max' })).status).toBe(404)
    expect((await server.ask('GET', '/tenants/acme', { as: 'ada' })).status).toBe(403)
  })

  test('is refused where the server is for one, and the refusal names the setting [D35.1]', async () => {
    await using single = await startTestPlatform({ config: { multi_tenant: false } })
    const answer = await single.ask('POST', '/tenants', { as: 'operator', json: full })
    expect(answer).toMatchObject({ status: 403, body: { error_code: 'forbidden' } })
    expect(answer.body.message).toContain('DATAAGENT_MULTI_TENANT=true')
  })
})

describe('over its limit, 429 names', () => {
  const details = (limit: string, max: number) => ({
    ...{ status: 429, body: { error_code: 'quota_exceeded', details: { limit, max } } },
  })

  test('max_users [D35.4]', async () => {
    const { users } = await usage()
    await patch({ max_users: users + 1 })
    const add = (user_id: string) =>
      server.ask('POST', '/users', { as: 'boss', json: { user_id, name: user_id } })
    const answers = await Promise.all(['u1', 'u2', 'u3'].map(add))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(answer).toMatchObject(details('max_users', users + 1))
    await patch({ max_users: null })
  })

  test('max_sessions_per_user [D35.4]', async () => {
    await patch({ max_sessions_per_user: 2 })
    const add = () => server.ask('POST', '/sessions', { json: {} })
    const answers = await Promise.all([add(), add(), add()])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused).toMatchObject(details('max_sessions_per_user', 2))
    const chat = await server.ask('POST', '/chat', { json: { message: 'hello' } })
    expect(chat).toMatchObject(details('max_sessions_per_user', 2))
    await patch({ max_sessions_per_user: null })
    expect((await add()).status).toBe(201)
  })

  test('max_mcp_servers, whoever adds them [D35.4]', async () => {
    await patch({ max_mcp_servers: 2 })
    const config = (name: string) => ({ name, url: 'http://127.0.0.1:9/mcp', disabled: true })
    const shared = (name: string) =>
      server.ask('POST', '/mcp-servers', { as: 'boss', json: { config: config(name) } })
    const own = (name: string) =>
      server.ask('POST', '/users/ada/mcp-servers', { json: config(name) })
    const answers = await Promise.all([shared('s1'), own('s2'), shared('s3'), own('s4')])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(answer).toMatchObject(details('max_mcp_servers', 2))
    expect(await usage()).toMatchObject({ mcp_servers: 2, limits: { max_mcp_servers: 2 } })
    await patch({ max_mcp_servers: null })
  })

  test('workspace_quota [D35.4]', async () => {
    await patch({ workspace_quota: 1_000 })
    const put = (path: string, bytes: number) =>
      server.ask('PUT', `/files/content?path=${path}`, {
        body: 'x'.repeat(bytes),
        headers: { 'content-type': 'application/octet-stream' },
      })
    expect((await put('a.txt', 600)).status).toBeLessThan(300)
    const refused = await put('b.txt', 600)
    expect(refused).toMatchObject(details('workspace_quota', 1_000))
    await patch({ workspace_quota: 10_000 })
    expect((await put('b.txt', 600)).status).toBeLessThan(300)
  })
})

const usage = async () =>
  (await server.ask<TenantUsage>('GET', '/tenants/acme/usage', { as: 'eve' })).body

describe('features', () => {
  let mall: HostileHttp
  let other: TestPlatform
  beforeAll(async () => {
    mall = await startHostileHttp('none')
    other = await startTestPlatform({ dir: server.dir })
    const json = { config: { name: 'mall', url: mall.url } }
    const { body } = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
    await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: body.server_id })
    await waitFor(async () => (await namesIn(other)).length === 4, { timeoutMs: 20_000 })
  })
  afterAll(async () => {
    await other[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
  })

  const namesIn = async (where: TestPlatform) => {
    const { body } = await where.ask<ToolsPage>('GET', '/tools?q=mall')
    return body.tools.map(({ name }) => name)
  }
  const callIn = async (where: TestPlatform) => {
    const json = { tool: 'mall.echo', args: { message: 'hi' } }
    return (await where.ask('POST', '/tools/call', { json })).status
  }

  test.each([
    ['a server', ['*', '-mcp:mall']],
    ['one tool of a server', ['*', '-mcp:mall/echo']],
    ['all servers', ['*', '-mcp']],
    ['everything that is not named', ['tools']],
  ])('%s is switched off, in every process within a second [D35.5]', async (_what, features) => {
    expect([await callIn(server), await callIn(other)]).toEqual([200, 200])
    await patch({ features_enabled: features })
    const begun = performance.now()
    expect(await callIn(server)).toBe(403)
    await waitFor(async () => (await callIn(other)) === 403)
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(await namesIn(other)).not.toContain('echo')
    await patch({ features_enabled: ['*'] })
    await waitFor(async () => (await callIn(other)) === 200)
  })

  test('tools of our own are switched off by themselves [D35.5]', async () => {
    const own = async () => {
      const { body } = await server.ask<ToolsPage>('GET', '/tools?q=read_result')
      return body.total
    }
    expect(await own()).toBe(1)
    await patch({ features_enabled: ['*', '-tool:read_result'] })
    expect(await own()).toBe(0)
    await patch({ features_enabled: ['*'] })
  })

  test('of one tenant leave the others alone [D35.5]', async () => {
    await patch({ features_enabled: [] }, 'globex')
    expect(await callIn(server)).toBe(200)
  })
})
