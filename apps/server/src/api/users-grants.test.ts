import { createHash } from 'node:crypto'
import { createConsent, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const redirect_uri = 'https://client.example/callback'
const code_verifier = 'v'.repeat(43)
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')

let server: TestPlatform
let count = 0
beforeAll(async () => {
  server = await startTestPlatform()
  const tools = [{ server_id: '*', tool: '*' }]
  const json = { group_id: 'open', name: 'Open', open_to_users: true, tools }
  await server.ask('POST', '/mcp-groups', { as: 'boss', json })
})
afterAll(() => server[Symbol.asyncDispose]())

async function addUser() {
  const user_id = `user-${++count}`
  await server.ask('POST', '/users', { as: 'boss', json: { user_id, name: user_id } })
  return user_id
}

async function addKey(user_id: string, more: { expires_at?: number } = {}) {
  const path = `/users/${user_id}/api-keys`
  const made = await server.ask('POST', path, { as: 'boss', json: { name: 'k', ...more } })
  return { key: String(made.body.key), path: `${path}/${made.body.key_id}` }
}

const toToken = (form: Record<string, string>) =>
  fetch(`${server.url}/mcp/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })

/** A client that whoever has the key has allowed. */
async function connect(key: string, group_id = 'open') {
  const registered = await fetch(`${server.url}/mcp/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const asked = { client_id, redirect_uri, code_challenge, code_challenge_method: 'S256' }
  const resource = `${server.url}/mcp/g/${group_id}`
  const query = new URLSearchParams({ ...asked, response_type: 'code', resource })
  const back = new URL(await createConsent({ key })(`${server.url}/mcp/oauth/authorize?${query}`))
  const code = String(back.searchParams.get('code'))
  const shown = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier, code }
  const tokens = (await (await toToken(shown)).json()) as Record<string, string>
  const { access_token = '', refresh_token = '' } = tokens
  return {
    expires_in: Number(tokens.expires_in),
    async list() {
      const { status } = await fetch(resource, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      return status
    },
    async renew() {
      const answer = await toToken({ grant_type: 'refresh_token', client_id, refresh_token })
      const { error } = (await answer.json()) as { error?: string }
      return error ?? answer.status
    },
  }
}

type Path = { key: string; path: string }
const change = (json: object) => async (user_id: string) =>
  server.ask('PATCH', `/users/${user_id}`, { as: 'boss', json })

test.each([
  ['a user who is disabled', change({ disabled: true })],
  ['a user of another role', change({ role: 'auditor' })],
  [
    'a key that is revoked',
    (_: string, { path }: Path) => server.ask('DELETE', path, { as: 'boss' }),
  ],
  [
    'a key that is rotated',
    (_: string, { path }: Path) => server.ask('POST', `${path}/rotate`, { as: 'boss' }),
  ],
])('clients of %s have no access a second later, and renew none [E2.4]', async (_, end) => {
  const user_id = await addUser()
  const key = await addKey(user_id)
  const client = await connect(key.key)
  expect(await client.list()).toBe(200)
  expect((await end(user_id, key)).status).toBeLessThan(300)
  await waitFor(async () => (await client.list()) === 401, { timeoutMs: 5_000 })
  expect(await client.renew()).toBe('invalid_grant')
})

test('a key that ends takes nothing of what its user allowed by another', async () => {
  const user_id = await addUser()
  const [first, second] = [await addKey(user_id), await addKey(user_id)]
  const kept = await connect(second.key)
  await server.ask('DELETE', first.path, { as: 'boss' })
  await server.ask('PATCH', `/users/${user_id}`, { as: 'boss', json: { name: 'Renamed' } })
  expect(await kept.list()).toBe(200)
  expect(await kept.renew()).toBe(200)
})

test('a client has access no longer than the key by which its user was known [E2.4]', async () => {
  const expires_at = server.platform.clock.now() + 60_000
  const { expires_in } = await connect((await addKey(await addUser(), { expires_at })).key)
  expect(expires_in).toBeLessThanOrEqual(60)
})

test('clients of users lose a group that is closed to them; those of administrators stay [E2.4]', async () => {
  const group = { group_id: 'closing', name: 'Closing', open_to_users: true, tools: [] }
  await server.ask('POST', '/mcp-groups', { as: 'boss', json: group })
  const [ofUser, ofBoss] = [(await addKey(await addUser())).key, (await addKey('boss')).key]
  const [user, boss] = [await connect(ofUser, 'closing'), await connect(ofBoss, 'closing')]
  expect([await user.list(), await boss.list()]).toEqual([200, 200])
  const shut = { as: 'boss', json: { open_to_users: false } } as const
  await server.ask('PATCH', '/mcp-groups/closing', shut)
  await waitFor(async () => (await user.list()) === 401, { timeoutMs: 5_000 })
  expect(await user.renew()).toBe('invalid_grant')
  expect([await boss.list(), await boss.renew()]).toEqual([200, 200])
})

test('what nobody took back is not renewed where the key has ended, or the group was closed', async () => {
  const { tables, clock } = server.platform
  const [one, other] = [await addKey(await addUser()), await addKey(await addUser())]
  const [ended, closed] = [await connect(one.key), await connect(other.key)]
  await tables.apiKeys.revoke('acme', String(one.path.split('/').at(-1)), clock.now())
  expect(await ended.renew()).toBe('invalid_grant')
  const shut = { as: 'boss', json: { open_to_users: false } } as const
  await server.ask('PATCH', '/mcp-groups/open', shut)
  expect(await closed.renew()).toBe('invalid_grant')
})
