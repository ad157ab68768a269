import { randomBytes } from 'node:crypto'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import type { Principal } from '../principal.ts'
import type { ServerChange, ServerScope, Servers } from './contract.ts'
import { createServerGate } from './server-gate.ts'
import { createServers, type ServersOptions } from './servers.ts'
import { createTestServerRows } from './test-server-rows.ts'

export const ana: Principal = { tenant_id: 't1', user_id: 'ana', role: 'user' }
export const bo: Principal = { tenant_id: 't1', user_id: 'bo', role: 'user' }
export const admin: Principal = { tenant_id: 't1', user_id: 'adi', role: 'admin' }
export const otherAdmin: Principal = { tenant_id: 't2', user_id: 'adi', role: 'admin' }
export const platformAdmin: Principal = { tenant_id: 't0', user_id: 'pia', role: 'platform_admin' }

/** A vault with a master key of its own. */
export function createTestVault() {
  return createVault({ keyring: createKeyring([randomBytes(32)]) })
}

/** A registry over rows in memory, with what it told. */
export function createTestServers(options: Partial<ServersOptions> = {}) {
  const rows = createTestServerRows()
  const published: string[] = []
  const means: ServersOptions = {
    rows,
    vault: createTestVault(),
    gate: createServerGate(),
    key: randomBytes(32),
    publish: (tenant_id) => void published.push(tenant_id),
    ...options,
  }
  const servers = createServers(means)
  return { servers, rows, published, means, changes: recordChanges(servers) }
}

/** What `servers` tells, as short texts. */
export function recordChanges(servers: Servers): string[] {
  const changes: string[] = []
  servers.onChange((change) => changes.push(toText(change)))
  return changes
}

function toText(change: ServerChange): string {
  if (change.kind === 'set') return `set ${change.server.server_id}`
  if (change.kind === 'superseded') return `superseded ${change.edition.server_id}`
  if (change.kind === 'removed') return `removed ${change.server_id}`
  return `credential ${change.server_id} ${change.user_id}`
}

export function aServer(name: string, scope: ServerScope = 'tenant') {
  return { scope, config: remote(name) }
}

/** `fields` may be what the types forbid: tests see it refused. */
export function remote(name: string, fields: object = {}) {
  return { name, url: 'https://mcp.example/mcp', ...fields }
}

/** The error that `promise` rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (error) => error,
  )
}
