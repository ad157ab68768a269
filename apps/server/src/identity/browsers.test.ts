import { createSecret } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createPlace, type Place } from './test-identity.ts'
import { cookieOf, type IdentityServer, startIdentityServer } from './test-identity-server.ts'

const chosen = 'a-key-that-somebody-chose'

async function signIn({ ask }: IdentityServer, key: string): Promise<string> {
  return cookieOf(await ask('/in', { 'x-key': key }, 'POST'))
}

async function withAda(place: Place) {
  await place.addUser('ada')
  return place.addKey('ada')
}

test('a browser gets a cookie in place of the key, and only a keyed hash of it is stored', async () => {
  await using place = await createPlace()
  const { key, key_id } = await withAda(place)
  await using server = await startIdentityServer(place)
  const answer = await server.ask('/in', { 'x-key': key }, 'POST')
  const [set = ''] = answer.headers.getSetCookie()
  expect(set).toMatch(/^dataagent=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
  const cookie = cookieOf(answer)
  const who = await (await server.ask('/who', { cookie })).json()
  expect(who).toEqual({
    principal: { tenant_id: 'default', user_id: 'ada', role: 'user', api_key: key_id },
    via: 'cookie',
  })
  const token = cookie.split('=')[1] ?? ''
  expect(await place.tables.browserSessions.find(place.craft.tokenHash(token))).toBeDefined()
  expect(await place.tables.browserSessions.find(token)).toBeUndefined()
})

test('over https the cookie is Secure and of this host alone, and no other is read', async () => {
  await using place = await createPlace()
  const { key } = await withAda(place)
  await using server = await startIdentityServer(place)
  const tls = { 'x-forwarded-proto': 'https' }
  const answer = await server.ask('/in', { 'x-key': key, ...tls }, 'POST')
  const cookie = cookieOf(answer)
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-dataagent=.*; Secure; SameSite=Strict$/)
  expect((await server.ask('/who', { cookie, ...tls })).status).toBe(200)
  const tossed = cookie.replace('__Host-', '')
  expect((await server.ask('/who', { cookie: tossed, ...tls })).status).toBe(401)
})

test.each([
  ['of ours', { origin: 'own' }, 200],
  ['that says it is ours', { 'sec-fetch-site': 'same-origin' }, 200],
  ['of others', { origin: 'https://evil.example' }, 403],
  ['of an allowed origin', { origin: 'https://app.example' }, 403],
  ['of a neighbour', { 'sec-fetch-site': 'same-site' }, 403],
  ['that says nothing', {}, 403],
])('a change with a cookie from a page %s is %s', async (_name, headers, status) => {
  await using place = await createPlace({ cors_origins: ['https://app.example'] })
  const { key } = await withAda(place)
  await using server = await startIdentityServer(place)
  const cookie = await signIn(server, key)
  const { origin, ...others } = headers as Record<string, string>
  const from = origin && { origin: origin === 'own' ? server.url : origin }
  const answer = await server.ask('/who', { cookie, ...from, ...others }, 'POST')
  expect(answer.status).toBe(status)
})

test('a socket with a cookie needs our own Origin', async () => {
  await using place = await createPlace()
  const { key } = await withAda(place)
  await using server = await startIdentityServer(place)
  const cookie = await signIn(server, key)
  const host = new URL(server.url).host
  const upgrade = { cookie, host, connection: 'upgrade', upgrade: 'websocket' }
  const status = async (headers: Record<string, string>) =>
    (await server.app.inject({ url: '/who', headers: { ...upgrade, ...headers } })).statusCode
  expect(await status({ origin: server.url })).toBe(200)
  expect(await status({ origin: 'https://evil.example' })).toBe(403)
  expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(403)
})

test('a foreign page cannot sign a browser in as somebody else', async () => {
  await using place = await createPlace()
  const { key } = await withAda(place)
  await using server = await startIdentityServer(place)
  const answer = await server.ask('/in', { 'x-key': key, 'sec-fetch-site': 'cross-site' }, 'POST')
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
})

test('it ends when it lies idle, and at the end of its life however much it is used', async () => {
  const clock = createFakeClock()
  const times = { sign_in_lifetime: 3 * 3_600, sign_in_idle: 3_600 }
  await using place = await createPlace(times, clock)
  const { key } = await withAda(place)
  await using server = await startIdentityServer(place)
  const [idle, busy] = [await signIn(server, key), await signIn(server, key)]
  const status = async (cookie: string) => (await server.ask('/who', { cookie })).status
  const seen: number[] = []
  for (let i = 0; i < 4; i++) {
    clock.advance(50 * 60_000)
    seen.push(await status(busy))
  }
  expect(seen).toEqual([200, 200, 200, 401])
  expect(await status(idle)).toBe(401)
})

test('it ends with its key, with its user, and when it is signed out', async () => {
  await using place = await createPlace()
  const revoked = await withAda(place)
  const other = await place.addKey('ada')
  await using server = await startIdentityServer(place)
  const status = async (cookie: string) => (await server.ask('/who', { cookie })).status
  const cookies = [await signIn(server, revoked.key), await signIn(server, other.key)] as const
  await place.tables.apiKeys.revoke('default', revoked.key_id, Date.now())
  server.identity.forget()
  expect([await status(cookies[0]), await status(cookies[1])]).toEqual([401, 200])

  const out = await server.ask('/out', { cookie: cookies[1], origin: server.url }, 'POST')
  expect(out.headers.getSetCookie()[0]).toMatch(/^dataagent=; Max-Age=0/)
  expect(await status(cookies[1])).toBe(401)

  const last = await signIn(server, other.key)
  await place.tables.users.update('default', 'ada', { disabled_at: Date.now() })
  server.identity.forget()
  expect(await status(last)).toBe(401)
})

test('one made with a configured key ends when the key is taken out of the configuration', async () => {
  await using place = await createPlace({ api_keys: [createSecret(chosen)] })
  await using before = await startIdentityServer(place)
  const cookie = await signIn(before, chosen)
  await using same = await startIdentityServer(place)
  expect((await same.ask('/who', { cookie })).status).toBe(200)
  const config = { ...place.config, api_keys: [createSecret('another-key-that-is-long')] }
  await using after = await startIdentityServer({ ...place, config })
  expect((await after.ask('/who', { cookie })).status).toBe(401)
})

test('a cookie and a key must be of the same', async () => {
  await using place = await createPlace()
  const own = await withAda(place)
  const other = await place.addKey('admin')
  await using server = await startIdentityServer(place)
  const cookie = await signIn(server, own.key)
  const status = async (key: string, sent = cookie) =>
    (await server.ask('/who', { cookie: sent, 'x-api-key': key })).status
  expect(await status(own.key)).toBe(200)
  expect(await status(other.key)).toBe(401)
  expect(await status(own.key, 'dataagent=an-old-token')).toBe(401)
})
