import { expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

interface Made {
  key: string
  key_id: string
  role: string
}

const mine = '/users/ada/api-keys'

async function make(server: TestPlatform, json: object = { name: 'mine' }, as: Person = 'ada') {
  return server.ask<Made>('POST', `/users/${as}/api-keys`, { as, json })
}

async function statusOf(server: TestPlatform, key: string): Promise<number> {
  const answer = await server.ask('GET', '/me', { as: null, headers: { 'x-api-key': key } })
  return answer.status
}

test('a key is shown once, works, and is listed without itself [D19.4]', async () => {
  await using server = await startTestPlatform()
  const { status, body } = await make(server)
  expect(status).toBe(201)
  expect(body).toMatchObject({ user_id: 'ada', role: 'user', act_as: false, revoked_at: null })
  const secret = body.key.split('_')[2] ?? ''
  expect(await statusOf(server, body.key)).toBe(200)
  const page = await server.ask('GET', mine)
  expect(page.body).toMatchObject({ api_keys: [{ key_id: body.key_id }], total: 1 })
  const stored = await server.platform.tables.apiKeys.get('acme', body.key_id)
  for (const place of [page.body, stored, server.records])
    expect(JSON.stringify(place)).not.toContain(secret)
  expect(JSON.stringify([page.body])).not.toContain(stored?.key_mac)
})

test('a key that is rotated or revoked ends at once, and the new one works', async () => {
  await using server = await startTestPlatform()
  const { body: old } = await make(server)
  expect(await statusOf(server, old.key)).toBe(200)
  const rotated = await server.ask<Made>('POST', `${mine}/${old.key_id}/rotate`)
  expect(rotated.body).toMatchObject({ name: 'mine', role: 'user' })
  const next = rotated.body
  expect([await statusOf(server, old.key), await statusOf(server, next.key)]).toEqual([401, 200])
  expect((await server.ask('POST', `${mine}/${old.key_id}/rotate`)).status).toBe(409)
  expect((await server.ask('DELETE', `${mine}/${next.key_id}`)).status).toBe(204)
  expect(await statusOf(server, next.key)).toBe(401)
  const { body } = await server.ask<{ changes: { action: string }[] }>(
    ...(['GET', '/audit/changes?kind=api_key', { as: 'eve' }] as const),
  )
  expect(body.changes.map(({ action }) => action)).toEqual(['removed', 'changed', 'added'])
})

test('the keys of others are not there; an administrator manages those of the tenant [D32.2]', async () => {
  await using server = await startTestPlatform()
  const { body } = await make(server)
  const path = `${mine}/${body.key_id}`
  for (const as of ['bob', 'eve', 'max'] as const) {
    expect((await server.ask('GET', mine, { as })).status).toBe(404)
    expect((await server.ask('DELETE', path, { as })).status).toBe(404)
  }
  expect(
    (await server.ask('DELETE', `/users/boss/api-keys/${body.key_id}`, { as: 'boss' })).status,
  ).toBe(404)
  expect((await server.ask('DELETE', path, { as: 'boss' })).status).toBe(204)
})

test('a key has no more rights than its maker and its user have', async () => {
  await using server = await startTestPlatform()
  const status = async (as: Person, user: string, json: object) =>
    (await server.ask('POST', `/users/${user}/api-keys`, { as, json: { name: 'k', ...json } }))
      .status
  expect(await status('ada', 'ada', { role: 'admin' })).toBe(403)
  expect(await status('ada', 'ada', { role: 'auditor' })).toBe(403)
  expect(await status('ada', 'ada', { act_as: true })).toBe(403)
  expect(await status('boss', 'ada', { role: 'admin' })).toBe(403)
  expect(await status('boss', 'boss', { role: 'platform_admin' })).toBe(403)
  expect(await status('ada', 'ada', { expires_at: 1 })).toBe(400)
  expect(await status('boss', 'ada', { act_as: true, expires_at: Date.now() + 60_000 })).toBe(201)
  const weak = await make(server, { name: 'weak', role: 'user' }, 'boss')
  const headers = { 'x-api-key': weak.body.key }
  const json = { name: 'strong', role: 'admin' }
  const path = '/users/boss/api-keys'
  expect((await server.ask('POST', path, { as: null, headers, json })).status).toBe(403)
  const own = await server.ask<Made>('POST', path, { as: null, headers, json: { name: 'same' } })
  expect(own.body.role).toBe('user')
})

test('who acts for a user is that user, leaves a trace, and makes no keys of theirs', async () => {
  await using server = await startTestPlatform()
  const { body } = await make(server, { name: 'bot', act_as: true }, 'boss')
  const headers = { 'x-api-key': body.key, 'x-dataagent-act-as': 'ada' }
  const me = await server.ask('GET', '/me', { as: null, headers })
  expect(me.body).toMatchObject({
    user_id: 'ada',
    role: 'user',
    acting_for: 'ada',
    key_id: body.key_id,
  })
  const made = await server.ask('POST', mine, { as: null, headers, json: { name: 'k' } })
  expect(made.status).toBe(403)
  expect(server.records).toContainEqual(
    expect.objectContaining({
      ...{ message: 'request answered', path: '/api/v1/me' },
      ...{ acting_key: body.key_id, acting_user: 'boss', acting_for: 'ada' },
    }),
  )
})

test('nobody has to do with the keys, sign-ins and servers of one above them', async () => {
  await using server = await startTestPlatform()
  const chief = { user_id: 'chief', name: 'Chief', role: 'platform_admin', tenant_id: 'acme' }
  await server.ask('POST', '/users', { as: 'operator', json: chief })
  const keys = '/users/chief/api-keys'
  const { body: plain } = await server.ask<Made>('POST', `${keys}?tenant_id=acme`, {
    ...{ as: 'operator', json: { name: 'plain', role: 'user' } },
  })
  const asked = [
    ['GET', keys],
    ['POST', keys, { name: 'mine' }],
    ['POST', `${keys}/${plain.key_id}/rotate`],
    ['DELETE', `${keys}/${plain.key_id}`],
    ['POST', '/users/chief/sign-out'],
    ['PATCH', '/users/chief', { disabled: true }],
    ['GET', '/users/chief/mcp-servers'],
  ] as const
  for (const [method, path, json] of asked) {
    const { status } = await server.ask(method, path, { as: 'boss', json })
    expect([method, path, status]).toEqual([method, path, 403])
  }
  expect(await statusOf(server, plain.key)).toBe(200)
})

test('a key that was made narrow makes none that is wider, by rotation neither', async () => {
  await using server = await startTestPlatform()
  const until = Date.now() + 3_600_000
  const { body: short } = await make(server, { name: 'short', expires_at: until })
  const { body: bound } = await make(server, { name: 'bound' })
  const { body: wide } = await make(server, { name: 'wide' })
  const acting = await server.ask<Made>('POST', mine, {
    as: 'boss',
    json: { name: 'acting', act_as: true },
  })
  const entries: object[] = []
  await server.ask('PUT', `/policy/bindings/api_key/${bound.key_id}`, {
    as: 'boss',
    json: { entries },
  })
  const ask = async (key: string, path: string, json?: object) =>
    (
      await server.ask('POST', path, {
        as: null,
        headers: { 'x-api-key': key },
        ...(json && { json }),
      })
    ).status
  expect(await ask(short.key, mine, { name: 'for ever' })).toBe(403)
  expect(await ask(short.key, mine, { name: 'as short', expires_at: until })).toBe(201)
  expect(await ask(short.key, `${mine}/${wide.key_id}/rotate`)).toBe(403)
  expect(await ask(bound.key, mine, { name: 'free' })).toBe(403)
  expect(await ask(wide.key, `${mine}/${acting.body.key_id}/rotate`)).toBe(403)
  expect(await ask(acting.body.key, `${mine}/${acting.body.key_id}/rotate`)).toBe(200)
  const rotated = await server.ask<Made>('POST', `${mine}/${bound.key_id}/rotate`, { as: 'boss' })
  const { hub } = server.platform
  const list = hub.policy.allowList('acme', { kind: 'api_key', id: rotated.body.key_id })
  expect(list?.entries).toEqual(entries)
})
