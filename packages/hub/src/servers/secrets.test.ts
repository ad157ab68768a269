import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { format, inspect } from 'node:util'
import { toErrorResponse } from '@dataagent/schema'
import { describeSql, type SqlSubject } from '@dataagent/store/sql/describe-sql'
import { createCanary, expectNoCanary, scanForCanaries } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Servers } from './contract.ts'
import { createServerGate } from './server-gate.ts'
import { createServers } from './servers.ts'
import { admin, ana, createTestVault, failureOf } from './test-servers.ts'
import { toServerInfo } from './to-server-info.ts'

const header = createCanary('header')
const variable = createCanary('variable')
const proxy = createCanary('proxy')
const credential = createCanary('credential')
const canaries = [header, variable, proxy, credential]

const remote = {
  ...{ name: 'remote', url: 'https://x.example/mcp', credentials: 'user' as const },
  headers: { Authorization: header.header, 'X-Key': header.apiKey },
  proxy: `http://user:${proxy.marker}@proxy.example`,
}
const local = {
  ...{ name: 'local', command: 'x', env: { KEY: variable.apiKey, PASS: variable.password } },
}

await describeSql('secrets of servers', (subject) => {
  const open = (vault = createTestVault()) =>
    createServers({
      key: randomBytes(32),
      rows: subject().store.hub.servers,
      ...{ vault, gate: createServerGate(), publish: () => undefined },
    })

  test('no secret is in anything that a caller can get, nor in the database [A1.5] [T8]', async () => {
    const vault = createTestVault()
    const servers = open(vault)
    const told: unknown[] = []
    servers.onChange((change) => told.push(change))
    await fill(servers)
    const reader = open(vault)
    await reader.reload()
    const broken = open()
    await broken.reload()
    const failures = await provoke(servers)
    const held = [servers, reader, broken].flatMap((one) => [...one.all()])
    const resolved = await Promise.all(held.map((server) => reader.resolveFor(server, 'ana')))
    await expectNoCanary(canaries, [
      { name: 'list', object: held.map((server) => toServerInfo(server)) },
      { name: 'JSON', text: JSON.stringify([held, resolved, told]) },
      { name: 'inspect', text: inspect([held, resolved, told], { depth: 9, showHidden: true }) },
      { name: 'joined', text: `${held.map(({ config }) => Object.values(config).join())}` },
      { name: 'errors', object: failures },
      { name: 'answers', object: failures.map((failure) => toErrorResponse(failure, 'ref')) },
      { name: 'console', text: format('%s %o %O', held, [resolved, told], failures) },
      databaseOf(subject()),
    ])
    expect(held.filter((server) => server.broken)).toHaveLength(2)
  })

  test('what was stored goes out whole, to the one it belongs to [A1.5]', async () => {
    const servers = open()
    await fill(servers, 'whole')
    const her = servers.get('whole', 'remote')!
    const resolved = await servers.resolveFor(her, 'ana')
    if (resolved.status !== 'ok' || resolved.config.transport === 'stdio') throw new Error('not ok')
    const { headers, proxy: way } = resolved.config
    expect(headers.Authorization?.reveal()).toBe(credential.header)
    expect(headers['X-Key']?.reveal()).toBe(header.apiKey)
    expect(way?.reveal()).toBe(remote.proxy)
    expect(await servers.resolveFor(her, 'bo')).toEqual({ status: 'needs_credential' })
  })

  test('the scan would find a secret that was stored as it is [A1.5]', async () => {
    const { store } = subject()
    await store.hub.servers.insert({
      ...{ tenant_id: 'planted', server_id: 'p', owner: '', name: 'p', secrets: null },
      ...{ config: header.apiKey, created_at: 1, updated_at: 1, created_by: null },
    })
    expect(await scanForCanaries([header], [databaseOf(subject())])).not.toEqual([])
    await store.hub.servers.delete({ tenant_id: 'planted', server_id: 'p' })
  })
})

async function fill(servers: Servers, tenant_id = 't1'): Promise<void> {
  const by = { ...admin, tenant_id }
  await servers.register(by, { scope: 'tenant', server_id: 'remote', config: remote })
  await servers.register(by, { scope: 'tenant', server_id: 'local', config: local })
  const headers = { Authorization: credential.header }
  await servers.setCredential({ ...ana, tenant_id }, 'remote', { headers })
}

/** Every refusal that has a secret in what was sent. */
async function provoke(servers: Servers): Promise<Error[]> {
  const shared = (config: object, server_id?: string) =>
    servers.register(admin, { scope: 'tenant', config: config as typeof remote, server_id })
  const attempts = [
    shared(remote),
    shared({ ...local, name: 'x' }, 'local'),
    shared({ ...remote, name: 'x', headers: { A: `${header.apiKey}\r\nB: c` } }),
    shared({ ...remote, name: 'x', url: `https://u:${header.marker}@x.example` }),
    shared({ ...remote, name: 'x', proxy: proxy.marker }),
    shared({ ...local, name: 'x', env: { KEY: `${variable.apiKey}\0` } }),
    shared({ ...local, name: 'x', env: [variable.apiKey] }),
    shared({ ...local, name: 'dataagent' }),
    servers.register(ana, { scope: 'tenant', config: local }),
    servers.register(ana, { scope: 'user', config: local }),
    servers.register(ana, { scope: 'user', config: { ...remote, name: 'x' } }),
    servers.update(admin, 'remote', { ...remote, headers: { A: { set: true } } }),
    servers.update(admin, 'remote', remote, 0),
    servers.update(admin, 'remote', { ...remote, url: header.marker }),
    servers.update(ana, 'remote', remote),
    servers.setCredential(ana, 'remote', { headers: { Host: credential.apiKey } }),
    servers.setCredential(ana, 'remote', { headers: { Authorization: `${credential.apiKey}\n` } }),
    servers.setCredential(ana, 'local', { env: { KEY: credential.apiKey } }),
    servers.setCredential(ana, 'nobody', { env: { KEY: credential.apiKey } }),
  ]
  return Promise.all(attempts.map(failureOf))
}

function databaseOf({ kind, url }: SqlSubject) {
  if (kind !== 'sqlite') return { database: url }
  return { directory: dirname(url.slice('sqlite:'.length)) }
}
