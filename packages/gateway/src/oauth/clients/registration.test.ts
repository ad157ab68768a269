import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OAuthWorld, startOAuthWorld } from '../test-oauth-world.ts'
import { difyBody, register } from '../test-registration.ts'

let world: OAuthWorld
beforeAll(async () => {
  world = await startOAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const web = 'https://app.example/cb'

test('takes what Dify sends, null members and all [E2.3] [DIFY-3]', async () => {
  const answer = await register(world.server)
  expect(answer.status).toBe(201)
  expect(answer.headers['cache-control']).toBe('no-store')
  const { client_id, client_id_issued_at, ...rest } = JSON.parse(answer.body)
  const { scope: _, ...sent } = JSON.parse(difyBody)
  expect(rest).toEqual(sent)
  expect(await world.store.gateway.clients.get(client_id)).toMatchObject({
    kind: 'dynamic',
    secret_hash: null,
    created_at: client_id_issued_at * 1000,
  })
})

test('a relative address is refused with what to set in Dify [DIFY-9]', async () => {
  const redirect_uris = ['/console/api/mcp/oauth/callback']
  const answer = await register(world.server, { ...JSON.parse(difyBody), redirect_uris })
  expect(answer.status).toBe(400)
  const { error, error_description } = JSON.parse(answer.body)
  expect(error).toBe('invalid_redirect_uri')
  expect(error_description).toContain('set CONSOLE_API_URL')
})

test.each([
  ['no JSON', '{', 'invalid_client_metadata'],
  ['no object', '[]', 'invalid_client_metadata'],
  ['nothing', '', 'invalid_client_metadata'],
  ['no address', '{}', 'invalid_redirect_uri'],
  ['an empty list', '{"redirect_uris":[]}', 'invalid_redirect_uri'],
  ['21 addresses', { redirect_uris: Array(21).fill(web) }, 'invalid_redirect_uri'],
  ['plain http', { redirect_uris: [web, 'http://app.example/cb'] }, 'invalid_redirect_uri'],
  ['a number', { redirect_uris: [1] }, 'invalid_redirect_uri'],
  [
    'a key of its own',
    { redirect_uris: [web], token_endpoint_auth_method: 'private_key_jwt' },
    'invalid_client_metadata',
  ],
  [
    'another grant',
    { redirect_uris: [web], grant_types: ['client_credentials'] },
    'invalid_client_metadata',
  ],
  [
    'another answer',
    { redirect_uris: [web], response_types: ['token'] },
    'invalid_client_metadata',
  ],
])('refuses %s', async (what, body, error) => {
  const ip = `2001:db8:${[...what].length.toString(16)}::1`
  const answer = await register(world.server, body, ip)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body).error).toBe(error)
})

test('a name is one line of visible characters', async () => {
  const client_name = `  Good\u202eevil\u0000\n\u200b Client ${'x'.repeat(100)}`
  const answer = await register(world.server, { redirect_uris: [web], client_name }, '192.0.2.2')
  expect(JSON.parse(answer.body).client_name).toBe(`Goodevil Client ${'x'.repeat(44)}`)
})

test('an address that an administrator has set may be plain http [E7.1]', async () => {
  const oauth_redirect_uri = 'http://dify.lan/console/api/mcp/oauth/callback'
  await using other = await startOAuthWorld({ settings: { oauth_redirect_uri } })
  const answer = await register(other.server, { redirect_uris: [oauth_redirect_uri] })
  expect(answer.status).toBe(201)
})

test('one address registers so many and then waits [E5.2] [T34]', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 65; at += 1) {
    const ip = `2001:db8:ffff:1::${at}`
    statuses.push((await register(world.server, difyBody, ip)).status)
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(60)
  const refused = await register(world.server, difyBody, '2001:db8:ffff:1::abc')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await register(world.server, difyBody, '192.0.2.77')).status).toBe(201)
})

test('a flood from many addresses ends at the cap, and makes room after an hour [T34]', async () => {
  await using flooded = await startOAuthWorld()
  const { clients } = flooded.store.gateway
  const max = 10_000
  const row = (await clients.get(JSON.parse((await register(flooded.server)).body).client_id))!
  for (let at = 1; at < max; at += 1) await clients.create({ ...row, client_id: `c${at}` }, { max })
  const full = await register(flooded.server, difyBody, '192.0.2.3')
  expect(full.status).toBe(503)
  expect(full.headers['retry-after']).toBe('3600')
  await flooded.clock.advanceAsync(3_600_001)
  expect((await register(flooded.server, difyBody, '192.0.2.4')).status).toBe(201)
})

test('a program that nobody has used for 30 days goes away', async () => {
  await using old = await startOAuthWorld()
  const { client_id } = JSON.parse((await register(old.server)).body)
  await old.clock.advanceAsync(30 * 24 * 3_600_000 + 1)
  await register(old.server)
  expect(await old.store.gateway.clients.get(client_id)).toBeUndefined()
})
