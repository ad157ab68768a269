import { expect, test } from 'vitest'
import type { Servers } from './contract.ts'
import { createServers } from './servers.ts'
import {
  admin,
  ana,
  bo,
  createTestServers,
  createTestVault,
  failureOf,
  platformAdmin,
  recordChanges,
  remote,
} from './test-servers.ts'

const shared = { scope: 'tenant' as const }

async function resolve(servers: Servers, server_id: string, user_id: string | null) {
  return servers.resolveFor(servers.get('t1', server_id)!, user_id)
}

async function headersFor(servers: Servers, server_id: string, user_id: string) {
  const resolved = await resolve(servers, server_id, user_id)
  if (resolved.status !== 'ok' || resolved.config.transport === 'stdio') return resolved.status
  const { headers } = resolved.config
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value.reveal()]))
}

test("each user's calls go out with their own credentials", async () => {
  const { servers, changes } = createTestServers()
  const headers = { Authorization: 'placeholder', 'X-Team': 'all' }
  const config = remote('mail', { credentials: 'user', headers })
  const { server_id } = await servers.register(admin, { ...shared, config })
  expect(await resolve(servers, server_id, 'ana')).toEqual({ status: 'needs_credential' })
  expect(await resolve(servers, server_id, null)).toEqual({ status: 'needs_credential' })
  await servers.setCredential(ana, server_id, { headers: { authorization: 'Bearer hers' } })
  await servers.setCredential(bo, server_id, { headers: { Authorization: 'Bearer his' } })
  expect(await headersFor(servers, server_id, 'ana')).toEqual({
    'X-Team': 'all',
    authorization: 'Bearer hers',
  })
  expect(await headersFor(servers, server_id, 'bo')).toEqual({
    'X-Team': 'all',
    Authorization: 'Bearer his',
  })
  await servers.removeCredential(ana, server_id)
  expect(await headersFor(servers, server_id, 'ana')).toBe('needs_credential')
  expect(await headersFor(servers, server_id, 'bo')).not.toBe('needs_credential')
  expect(changes.filter((text) => text.startsWith('credential'))).toEqual([
    'credential mail ana',
    'credential mail bo',
    'credential mail ana',
  ])
})

test('a user fills the variables that the configuration names, and no others', async () => {
  const { servers } = createTestServers()
  const own = { credentials: 'user' as const, env: { GIT_TOKEN: '' } }
  const config = { name: 'git', command: 'git-mcp', ...own }
  const { server_id } = await servers.register(admin, { ...shared, config })
  for (const name of ['NODE_OPTIONS', 'LD_PRELOAD', 'PATH', 'git_token', '__proto__']) {
    const input = { env: Object.fromEntries([[name, 'x']]) }
    const failure = await failureOf(servers.setCredential(ana, server_id, input))
    expect(failure, name).toMatchObject({ code: 'invalid_request' })
  }
  await servers.setCredential(ana, server_id, { env: { GIT_TOKEN: 'hers' } })
  const resolved = await resolve(servers, server_id, 'ana')
  if (resolved.status !== 'ok' || resolved.config.transport !== 'stdio') throw new Error('not ok')
  expect(resolved.config.env.GIT_TOKEN?.reveal()).toBe('hers')
})

test.each([
  ['nothing', {}],
  ['a variable where headers are taken', { env: { A: 'b' } }],
  ['a header that nobody named', { headers: { Host: 'evil.example' } }],
  ['a value with a line break', { headers: { Authorization: 'a\r\nX: y' } }],
])('%s is refused as a credential', async (_what, input) => {
  const { servers } = createTestServers()
  const config = remote('a', { credentials: 'user' })
  const { server_id } = await servers.register(admin, { ...shared, config })
  const failure = await failureOf(servers.setCredential(ana, server_id, input))
  expect(failure.code).toBe('invalid_request')
})

test('a server with shared credentials takes none of users; a machine has none', async () => {
  const { servers } = createTestServers()
  const { server_id } = await servers.register(admin, { ...shared, config: remote('a') })
  const input = { headers: { Authorization: 'x' } }
  expect((await failureOf(servers.setCredential(ana, server_id, input))).code).toBe(
    'invalid_request',
  )
  const machine = { ...ana, user_id: null }
  expect((await failureOf(servers.setCredential(machine, server_id, input))).code).toBe('forbidden')
})

test('users of several tenants with one id cannot share a credential', async () => {
  const { servers } = createTestServers()
  const config = remote('a', { credentials: 'user' })
  const attempt = servers.register(platformAdmin, { scope: 'platform', config })
  expect((await failureOf(attempt)).code).toBe('invalid_request')
})

test('a credential that cannot be opened is broken for its user alone', async () => {
  const { servers, means } = createTestServers()
  const config = remote('a', { credentials: 'user' })
  const { server_id } = await servers.register(admin, { ...shared, config })
  await servers.setCredential(ana, server_id, { headers: { Authorization: 'x' } })
  const other = createServers({ ...means, vault: createTestVault() })
  await other.reload()
  expect(await resolve(other, server_id, 'ana')).toMatchObject({ status: 'broken' })
  await other.setCredential(bo, server_id, { headers: { Authorization: 'y' } })
  expect(await resolve(other, server_id, 'bo')).toMatchObject({ status: 'ok' })
})

test('a credential that another process has changed is told at the next reload', async () => {
  const { servers, means } = createTestServers()
  const config = remote('a', { credentials: 'user' })
  const { server_id } = await servers.register(admin, { ...shared, config })
  const other = createServers(means)
  await other.reload()
  await resolve(other, server_id, 'ana')
  await servers.setCredential(ana, server_id, { headers: { Authorization: 'x' } })
  await servers.setCredential(bo, server_id, { headers: { Authorization: 'y' } })
  const told = recordChanges(other)
  await other.reload('t2')
  expect(told).toEqual([])
  await other.reload('t1')
  await other.reload('t1')
  expect(told).toEqual(['credential a ana'])
})
