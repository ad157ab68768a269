import type {
  ChangesPage,
  GrantsPage,
  OwnGrantsPage,
  ToolGroupInfo,
  ToolGroupList,
  ToolGroupWithKey,
} from '@dataagent/schema'
import {
  createConsent,
  createDifyProfile,
  type HostileHttp,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'

let server: TestPlatform
let mall: HostileHttp
beforeAll(async () => {
  server = await startTestPlatform({ config: { allowed_addresses: ['127.0.0.1'] } })
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  const { body } = await server.ask('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: String(body.server_id) })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

const tools = [{ server_id: 'mall', tool: 'echo' }]

const boss = <T = ToolGroupInfo>(method: string, path: string, json?: unknown) =>
  server.ask<T>(method, `/mcp-groups${path}`, { as: 'boss', json })

async function make(json: object = {}): Promise<ToolGroupWithKey> {
  const { status, body } = await boss<ToolGroupWithKey>('POST', '', {
    name: 'Shop',
    tools,
    ...json,
  })
  expect(status).toBe(201)
  return body
}

/** The status that a client gets who lists the tools of a group with a key. */
async function statusWith(key: string, { urls }: Pick<ToolGroupInfo, 'urls'>): Promise<number> {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    },
  }
  const response = await fetch(urls.streamable_http, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  })
  await response.body?.cancel()
  return response.status
}

async function changesOf(group_id: string) {
  const path = `/audit/changes?kind=tool_group&target=${group_id}`
  const { body } = await server.ask<ChangesPage>('GET', path, { as: 'boss' })
  return body.changes
}

test('a group is made with a key that opens the addresses it names [E6.1] [E9.1]', async () => {
  const { group, key } = await make({ group_id: 'front', description: 'At the counter' })
  expect(key).toMatch(/^mk_/)
  expect(group).toMatchObject({ group_id: 'front', tenant_id: 'acme', enabled: true, tools })
  expect(group.key).toMatchObject({ expires_at: null, revoked_at: null, can_copy: true })
  expect(group.urls).toEqual({
    streamable_http: `${server.url}/mcp/g/front`,
    sse: `${server.url}/mcp/v1/sse`,
    jsonrpc: `${server.url}/api/v1/mcp/jsonrpc`,
  })
  for (const url of Object.values(group.urls)) {
    const dify = createDifyProfile({ url, headers: { Authorization: `Bearer ${key}` } })
    expect((await dify.listTools()).map(({ name }) => name)).toEqual(['echo'])
  }
})

test('groups are listed by name, changed and removed; others of the tenant may not', async () => {
  const [b, a] = [await make({ name: 'B list' }), await make({ name: 'A list' })]
  const { body } = await boss<ToolGroupList>('GET', '')
  const names = body.groups.map(({ name }) => name).filter((name) => name.endsWith(' list'))
  expect(names).toEqual(['A list', 'B list'])
  const path = `/${b.group.group_id}`
  const changed = await boss('PATCH', path, { name: 'C list', open_to_users: true, tools: [] })
  expect(changed.body).toMatchObject({ name: 'C list', open_to_users: true, tools: [] })
  for (const as of ['ada', 'eve'] as Person[])
    expect((await server.ask('GET', `/mcp-groups${path}`, { as })).status).toBe(403)
  expect((await boss('DELETE', path)).status).toBe(204)
  expect((await boss('GET', path)).status).toBe(404)
  expect(await statusWith(b.key, b.group)).toBe(401)
  expect(await statusWith(a.key, a.group)).toBe(200)
})

test('an id that is taken, one that is none and a time that is past are refused', async () => {
  await make({ group_id: 'taken' })
  const statusOf = async (json: object) =>
    (await boss('POST', '', { name: 'Shop', tools, ...json })).status
  expect(await statusOf({ group_id: 'taken' })).toBe(409)
  expect(await statusOf({ group_id: 'Not One' })).toBe(400)
  expect(await statusOf({ key_expires_at: 1 })).toBe(400)
  expect((await boss('POST', '/taken/key/rotate', { overlap_seconds: 8e6 })).status).toBe(400)
})

test('the key is told again, which is recorded with who asked; not where it is shown once [E6.1]', async () => {
  const { group, key } = await make({ group_id: 'copied' })
  const copied = await boss<{ key: string }>('POST', '/copied/key/copy')
  expect(copied.body).toEqual({ key })
  const [change] = await changesOf(group.group_id)
  expect(change).toMatchObject({ action: 'copied', user_id: 'boss' })
  const once = await make({ group_id: 'once', shown_once: true })
  expect(once.group.key?.can_copy).toBe(false)
  expect((await boss('POST', '/once/key/copy')).status).toBe(403)
})

test('a key is rotated with an overlap, expires and is revoked [E6.1]', async () => {
  const { group, key: first } = await make({ group_id: 'turning' })
  const rotate = async (json: object) =>
    (await boss<ToolGroupWithKey>('POST', '/turning/key/rotate', json)).body
  const expires_at = Date.now() + 3_600_000
  const second = await rotate({ overlap_seconds: 60, expires_at })
  expect(second.group.key).toMatchObject({ expires_at, previous_until: expect.any(Number) })
  expect([await statusWith(first, group), await statusWith(second.key, group)]).toEqual([200, 200])
  const third = await rotate({})
  const statuses = [first, second.key, third.key].map((key) => statusWith(key, group))
  expect(await Promise.all(statuses)).toEqual([401, 401, 200])
  expect((await boss('DELETE', '/turning/key')).status).toBe(204)
  expect((await boss('GET', '/turning')).body.key).toMatchObject({
    revoked_at: expect.any(Number),
    can_copy: false,
  })
  expect(await statusWith(third.key, group)).toBe(401)
})

test('who is connected is seen, and can be cut off alone [E9.1]', async () => {
  const { group, key } = await make({ group_id: 'shared' })
  const client = () => {
    const { streamable_http: url } = group.urls
    return createDifyProfile({ url, authorize: createConsent({ key }) })
  }
  const [one, two] = [client(), client()]
  await one.listTools()
  await two.listTools()
  const list = async () => (await boss<GrantsPage>('GET', '/shared/grants')).body
  const { grants, more } = await list()
  expect(more).toBe(false)
  expect(grants).toHaveLength(2)
  expect(grants[0]).toMatchObject({ client_name: 'Dify', user_id: null })
  expect(Object.keys(grants[0]!).filter((name) => /hash|token/.test(name))).toEqual([])
  expect((await boss<GrantsPage>('GET', '/shared/grants?limit=1')).body.more).toBe(true)
  const { grant_id } = grants.at(-1)!
  expect((await boss('DELETE', `/taken/grants/${grant_id}`)).status).toBe(404)
  expect((await boss('DELETE', `/shared/grants/${grant_id}`)).status).toBe(204)
  expect((await boss('DELETE', `/shared/grants/${grant_id}`)).status).toBe(204)
  await waitFor(async () => (await statusWith(one.tokens!.access_token, group)) === 401)
  expect(await statusWith(two.tokens!.access_token, group)).toBe(200)
  expect((await list()).grants).toHaveLength(1)
  const revoked = (await changesOf('shared')).filter(({ action }) => action === 'revoked')
  expect(revoked.map(({ before }) => JSON.parse(`${before}`))).toEqual([
    { grant_id, client_name: 'Dify', user_id: null },
  ])
})

test('a user sees the clients they gave access, and no others, and ends it [E9.1]', async () => {
  const { group } = await make({ group_id: 'opened', name: 'Opened', open_to_users: true })
  const { streamable_http: url } = group.urls
  const client = createDifyProfile({ url, authorize: createConsent({ key: keyOf('ada') }) })
  await client.listTools()
  const listOf = async (as: 'ada' | 'eve') =>
    (await server.ask<OwnGrantsPage>('GET', '/me/grants', { as })).body.grants
  const [grant] = await listOf('ada')
  expect(grant).toMatchObject({ ...{ group_id: 'opened', group_name: 'Opened', user_id: 'ada' } })
  expect(Object.keys(grant!).filter((name) => /hash|token/.test(name))).toEqual([])
  expect(await listOf('eve')).toEqual([])
  const end = (as: 'ada' | 'eve' | 'boss') =>
    server.ask('DELETE', `/me/grants/${grant?.grant_id}`, { as })
  expect([(await end('eve')).status, (await end('boss')).status]).toEqual([404, 404])
  expect((await end('ada')).status).toBe(204)
  await waitFor(async () => (await statusWith(client.tokens!.access_token, group)) === 401)
  expect(await listOf('ada')).toEqual([])
  const revoked = (await changesOf('opened')).filter(({ action }) => action === 'revoked')
  expect(revoked).toMatchObject([{ user_id: 'ada' }])
})

test('made twice under one idempotency key it is made once, and the key is not kept', async () => {
  const headers = { 'idempotency-key': 'one-group' }
  const request = { as: 'boss', headers, json: { name: 'Idem', tools } } as const
  expect((await server.ask('POST', '/mcp-groups', request)).status).toBe(201)
  const again = await server.ask('POST', '/mcp-groups', request)
  expect(again.status).toBe(409)
  expect(JSON.stringify(again.body)).not.toContain('mk_')
  const { body } = await boss<ToolGroupList>('GET', '')
  expect(body.groups.filter(({ name }) => name === 'Idem')).toHaveLength(1)
})

test('where the gateway is switched off there are no groups, and it is said why', async () => {
  await using off = await startTestPlatform({ config: { gateway: false } })
  const { status, body } = await off.ask('GET', '/mcp-groups', { as: 'boss' })
  expect([status, body.message]).toEqual([404, expect.stringContaining('DATAAGENT_GATEWAY=true')])
})
