import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { openWorkspace } from '@dataagent/guard'
import { AppError, isAppError, isPlainObject, readJson, type Tenant } from '@dataagent/schema'
import { parseKeyEntry } from '../config/index.ts'
import { pause } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { sessionsOf } from './tenants-export.ts'
import { foldersOf } from './tenants-folders.ts'

const leaseMs = 600_000
/** How long turns have to end that were told to. */
const endingMs = 30_000
/** A process that has not seen a change for five seconds answers nobody until it has. */
const seenByAllMs = 6_000

/**
 * Ends a tenant: first nobody of it comes in, then its work ends, then all that is stored of it is
 * deleted. What stops it halfway leaves the tenant shut; called again it goes on.
 */
export async function removeTenant(platform: Platform, by: Principal, tenant: Tenant) {
  const { tables, kv, clock, note } = platform
  const { tenant_id } = tenant
  assertRemovable(platform, tenant_id)
  const name = `tenant-removal:${tenant_id}`
  await using lease = await kv.acquireLease(name, { ttlMs: leaseMs, owner: randomUUID() })
  if (!lease) throw new AppError('conflict', `the tenant ${tenant_id} is being deleted already`)
  await tables.ofTenant.shut(tenant_id, clock.now())
  await tellAll(platform, tenant_id)
  await endWork(platform, tenant_id)
  await removeShortLived(platform, tenant_id)
  await removeSessions(platform, tenant_id)
  await tables.ofTenant.clear(tenant_id)
  await tellAll(platform, tenant_id)
  for (const { path } of foldersOf(platform, tenant_id)) await removeFolder(path)
  await pause(clock, seenByAllMs)
  const removed = { kind: 'tenant', target: tenant_id, action: 'removed', before: tenant } as const
  await tables.ofTenant.forget(tenant_id, {
    note: note(by, { tenant_id: by.tenant_id, ...removed }),
  })
  await platform.tenants.reload(tenant_id)
}

/** Users may have made folders whose paths are too long for the system: `rm` leaves those. */
async function removeFolder(path: string): Promise<void> {
  if (!existsSync(path)) return
  {
    await using folder = await openWorkspace({ root: path })
    // Of a removal that was cut off.
    await folder.sweep({ olderThanMs: 0 })
    const { entries } = await folder.list('.', { maxEntries: 1_000_000 })
    for (const { path } of entries) await folder.remove(path, { recursive: true })
  }
  await rm(path, { recursive: true, force: true })
}

function assertRemovable({ config }: Platform, tenant_id: string): void {
  if (tenant_id === 'default') {
    throw new AppError('conflict', 'The tenant default is that of the installation: it stays.')
  }
  const isConfigured = config.api_keys.some(
    (entry) => parseKeyEntry(entry.reveal()).tenant_id === tenant_id,
  )
  if (!isConfigured) return
  const message = `DATAAGENT_API_KEYS has keys of ${tenant_id}: take them out and restart first.`
  throw new AppError('conflict', message)
}

async function tellAll({ hub, tenants }: Platform, tenant_id: string): Promise<void> {
  await tenants.reload(tenant_id)
  await hub.revisions.publish(tenant_id, 'tenants')
  await hub.revisions.check()
}

/** Throws `unavailable` where something does not end. */
async function endWork({ tables, runs, evaluations, clock }: Platform, tenant_id: string) {
  const page = { limit: 1_000, offset: 0 }
  for (const { run_id } of await tables.evaluations.runs.list({ tenant_id, ...page })) {
    await evaluations.cancel({ tenant_id, run_id })
  }
  const until = clock.monotonic() + endingMs
  for (;;) {
    const open = await tables.runs.open(100, tenant_id)
    if (open.length === 0) return
    await Promise.all(open.map(({ session_id }) => runs.cancel(session_id)))
    if (clock.monotonic() > until) break
    await pause(clock, 100)
  }
  throw new AppError('unavailable', 'Turns of this tenant have not ended yet: try again.')
}

/** What the key-value store holds: tokens, sessions of clients, answers that were kept. */
async function removeShortLived(platform: Platform, tenant_id: string): Promise<void> {
  const { kv } = platform
  for (const [prefix, isOwn] of Object.entries(shortLived)) {
    let cursor: string | undefined
    do {
      const page = await kv.list(prefix, cursor)
      for (const key of page.keys) {
        const value = await kv.get(key)
        if (value !== undefined && (await isOwn(platform, tenant_id, { key, value })))
          await kv.delete(key)
      }
      cursor = page.cursor
    } while (cursor !== undefined)
  }
}

type IsOwn = (
  platform: Platform,
  tenant_id: string,
  entry: { key: string; value: string },
) => boolean | Promise<boolean>

const shortLived: Record<string, IsOwn> = {
  'mcp:': (_platform, tenant_id, { value }) => {
    try {
      const held = readJson(value)
      return isPlainObject(held) && held.tenant_id === tenant_id
    } catch {
      return false
    }
  },
  'chat:': async ({ stores }, tenant_id, { value }) =>
    (await stores.sessions.get(tenant_id, value)) !== undefined,
  // Sealed for one tenant: it opens for no other.
  'idempotency:': async ({ vault }, tenant, { key, value }) => {
    const row = key.slice('idempotency:'.length)
    const binding = { tenant, table: 'idempotency', row, column: 'answer' }
    try {
      await vault.open(value, binding)
      return true
    } catch (error) {
      if (!isAppError(error, 'secret_unreadable')) throw error
      return false
    }
  },
}

/** Those that are not in the database. */
async function removeSessions(platform: Platform, tenant_id: string): Promise<void> {
  if (platform.config.session_store !== 'redis') return
  for await (const { session_id } of sessionsOf(platform, tenant_id)) {
    await platform.stores.sessions.delete(tenant_id, session_id)
  }
}
