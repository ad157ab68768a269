import { type Clock, createTurns, systemClock } from '@dataagent/guard'
import {
  AppError,
  isAppError,
  parseAs,
  type ServerConfig,
  type ServerUpdate,
  serverConfigSchema,
  serverUpdateSchema,
} from '@dataagent/schema'
import { createNote, type Note } from '../changes/index.ts'
import type { Principal } from '../principal.ts'
import type { Vault } from '../vault-port.ts'
import { applyUpdate, goesElsewhere } from './apply-update.ts'
import {
  type Edition,
  type LeftServer,
  platformTenant,
  type RegisteredServer,
  type ServerChange,
  type ServerGate,
  type ServerQuota,
  type ServerRow,
  type ServerRows,
  type ServerScope,
  type Servers,
} from './contract.ts'
import { createCredentialBook } from './credential-book.ts'
import { createEditionBook } from './edition-book.ts'
import { toEditionId } from './edition-id.ts'
import { createEditions } from './editions.ts'
import { toAdded, toChanged, toRemoved } from './server-changes.ts'
import { createServerIndex } from './server-index.ts'
import {
  assertFreeNames,
  assertOwnNames,
  nameTaken,
  toChosenId,
  toServerId,
} from './server-names.ts'
import { assertMayChange, isManaged, isVisible, scopeOf, toPlace } from './server-rights.ts'
import { fromRow, toColumns, toRegistered, withDescription } from './stored-server.ts'
import { createSwitchOff } from './switch-off.ts'

export interface ServersOptions {
  rows: ServerRows
  vault: Vault
  gate: ServerGate
  /** Of the installation, the same in all its processes, and not in its database. */
  key: Uint8Array
  clock?: Clock
  /**
   * Of the caller: `perOwner` counts for a user's own servers, `perTenant` for all. Default: 5
   * servers a user, and no limit for the tenant.
   */
  quotaOf?: (principal: Principal) => ServerQuota | Promise<ServerQuota>
  /** Tells other processes that a tenant's servers have changed. Never rejects. */
  publish: (tenant_id: string) => void | Promise<void>
  note?: Note
}

const defaultQuota: ServerQuota = { perOwner: 5 }
const attemptsMax = 5

/** The registry of servers. Empty until `reload` has been called. */
export function createServers(options: ServersOptions): Servers {
  const { rows, vault, gate, clock = systemClock, publish } = options
  const { quotaOf = () => defaultQuota, note = createNote({ clock }) } = options
  const editions = createEditions()
  const index = createServerIndex(editions)
  const inTurn = createTurns()
  const handlers = new Set<(change: ServerChange) => void>()
  const kept = createEditionBook({ rows, vault, editions, tell })
  const book = createCredentialBook({ rows, vault, key: options.key, clock, note })
  const offSwitch = createSwitchOff({ rows, note, clock })

  function tell(change: ServerChange): void {
    for (const handler of handlers) handler(change)
  }

  function takeOver(server: RegisteredServer): RegisteredServer {
    index.set(server)
    tell({ kind: 'set', server })
    return server
  }

  function drop({ tenant_id, server_id }: Pick<ServerRow, 'tenant_id' | 'server_id'>): void {
    index.remove(tenant_id, server_id)
    book.forget(tenant_id, server_id)
    tell({ kind: 'removed', tenant_id, server_id })
  }

  function find(principal: Principal, server_id: string): RegisteredServer {
    const near = [principal.tenant_id, platformTenant].map((tenant) => index.get(tenant, server_id))
    const server = near.find((one) => one && isVisible(principal, one))
    if (!server) throw notFound(server_id)
    return server
  }

  function findToChange(principal: Principal, server_id: string): RegisteredServer {
    const managed = index.get(principal.tenant_id, server_id)
    if (managed && isManaged(principal, managed)) return managed
    const server = find(principal, server_id)
    assertMayChange(principal, server)
    return server
  }

  /** What the change of that revision has replaced goes on for sessions, or ends for all. */
  function leave(by: Principal, server: RegisteredServer, left: LeftServer | undefined): void {
    if (left?.isKept) kept.keep(server, left.revision)
    else if (keptAs(by, server) === undefined) kept.dropAll(server)
  }

  /** What has changed is worked out first: where the store or the vault fails, memory stays. */
  async function reload(tenant_id?: string): Promise<void> {
    const stored = await rows.list(tenant_id)
    const known = tenant_id === undefined ? index.all() : [...index.ofTenant(tenant_id)]
    const gone = new Set(known)
    const changed: RegisteredServer[] = []
    for (const row of stored) {
      const held = index.get(row.tenant_id, row.server_id)
      if (held) gone.delete(held)
      if (held?.revision === row.revision && held.broken === undefined) continue
      const server = await fromRow(vault, row)
      if (held?.revision !== row.revision || held.broken !== server.broken) changed.push(server)
    }
    const takeEditions = await kept.read(tenant_id)
    const credentials = await book.changes(tenant_id)
    takeEditions()
    for (const server of gone) drop(server)
    for (const server of changed) takeOver(server)
    for (const change of credentials) tell({ kind: 'credential', ...change })
  }

  /** Retried under another id where a process has taken the same one a moment ago. */
  async function insert(
    principal: Principal,
    { config, server_id, ...place }: NewServer,
    quota: ServerQuota,
  ): Promise<RegisteredServer> {
    const { tenant_id, owner } = place
    const created_by = principal.acting_user ?? principal.user_id
    for (let attempt = 1; ; attempt += 1) {
      assertFreeNames(config, index.ofOwner(tenant_id, owner))
      const id = server_id ?? freeId(tenant_id, owner, config.name)
      if (index.isTaken(tenant_id, id)) throw idTaken(id)
      const now = clock.now()
      const columns = await toColumns(vault, { tenant_id, server_id: id }, config)
      const times = { created_at: now, updated_at: now, created_by }
      const row = { ...place, ...columns, ...times, server_id: id }
      try {
        const added = note(principal, toAdded(row, config))
        const revision = await rows.insert(row, quota, added)
        return takeOver(toRegistered({ ...row, revision }, { config }))
      } catch (error) {
        if (!isAppError(error, 'conflict')) throw error
        if (attempt === attemptsMax) throw nameTaken(config.name)
        await reload(tenant_id)
      }
    }
  }

  function freeId(tenant_id: string, owner: string, name: string): string {
    for (let number = 1; ; number += 1) {
      const id = toServerId(name, owner, number)
      if (!index.isTaken(tenant_id, id)) return id
    }
  }

  async function change(
    principal: Principal,
    server: RegisteredServer,
    config: ServerConfig,
  ): Promise<RegisteredServer> {
    const { tenant_id, server_id } = server
    const columns = await toColumns(vault, server, config)
    const updated_at = clock.now()
    const row = { tenant_id, server_id, revision: server.revision, updated_at, ...columns }
    const changed = note(principal, toChanged(server, config))
    const left = await rows.update(row, changed, keptAs(principal, server))
    leave(principal, server, left)
    const { revision } = left
    const { broken, ...held } = server
    return takeOver(Object.freeze({ ...held, config, updated_at, revision }))
  }

  async function update(
    principal: Principal,
    server_id: string,
    { sent, revision }: { sent: ServerUpdate; revision: number | undefined },
  ): Promise<RegisteredServer> {
    for (let attempt = 1; ; attempt += 1) {
      const server = findToChange(principal, server_id)
      if (revision !== undefined && server.revision !== revision) throw changedMeanwhile(server_id)
      const config = applyUpdate(server, sent)
      const { tenant_id, user_id } = server
      const others = [...index.ofOwner(tenant_id, user_id ?? '')].filter((one) => one !== server)
      assertConfig(config, scopeOf(server))
      assertFreeNames(config, others)
      await gate.check(principal, config, scopeOf(server))
      try {
        const isMoved = goesElsewhere(server.config, config)
        // First: a credential that is gone is asked for again, one that stayed would be sent.
        const refs = isMoved ? await book.removeAll(server) : []
        const changed = await inTurn(() => change(principal, server, config))
        for (const ref of refs) tell({ kind: 'credential', ...ref })
        return changed
      } catch (error) {
        const isStale = isAppError(error, 'conflict') || isAppError(error, 'not_found')
        if (!isStale || attempt === attemptsMax) throw error
        await inTurn(() => reload(tenant_id))
      }
    }
  }

  async function remove(principal: Principal, server_id: string): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const server = findToChange(principal, server_id)
      const removed = note(principal, toRemoved(server))
      try {
        leave(principal, server, await rows.delete(server, removed, keptAs(principal, server)))
        drop(server)
        return server.tenant_id
      } catch (error) {
        if (!isAppError(error, 'conflict') || attempt === attemptsMax) throw error
        await reload(server.tenant_id)
      }
    }
  }

  /** What runs ends first: memory may be read again later. */
  async function switchOff(by: Principal, server: RegisteredServer | Edition): Promise<void> {
    if ('superseded_by' in server) {
      await offSwitch.end(by, server)
      return reload(server.tenant_id)
    }
    const off = await offSwitch.disable(by, server)
    kept.dropAll(server)
    takeOver(off)
  }

  return {
    visibleTo: index.visibleTo,
    differsAt: index.differsAt,
    get: (tenant_id, server_id) =>
      index.get(tenant_id, server_id) ?? editions.get(tenant_id, server_id),
    all: index.all,
    editions: () => editions.ofTenant(undefined),

    async register(principal, { server_id, scope, config: input }) {
      const place = toPlace(principal, scope)
      const config = withDescription(parseAs(serverConfigSchema, input, 'server'))
      assertConfig(config, scope)
      const id = server_id === undefined ? undefined : toChosenId(server_id, place.owner)
      await gate.check(principal, config, scope)
      const quota = toQuota(scope, await quotaOf(principal))
      const added = { ...place, config, server_id: id }
      const server = await inTurn(() => insert(principal, added, quota))
      await publish(place.tenant_id)
      return server
    },

    async update(principal, server_id, input, revision) {
      const sent = parseAs(serverUpdateSchema, input, 'server')
      const server = await update(principal, server_id, { sent, revision })
      await publish(server.tenant_id)
      return server
    },

    async remove(principal, server_id) {
      const tenant_id = await inTurn(() => remove(principal, server_id))
      await publish(tenant_id)
    },

    async switchOff(by, server) {
      await inTurn(() => switchOff(by, server))
      await publish(server.tenant_id)
    },

    async setCredential(principal, server_id, input) {
      const server = find(principal, server_id)
      const ref = await book.set(principal, server, input)
      tell({ kind: 'credential', ...ref })
      await publish(ref.tenant_id)
    },

    async removeCredential(principal, server_id) {
      const server = find(principal, server_id)
      const ref = await book.remove(principal, server)
      tell({ kind: 'credential', ...ref })
      await publish(ref.tenant_id)
    },

    resolveFor: book.resolveFor,
    reload: (tenant_id) => inTurn(() => reload(tenant_id)),

    onChange(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}

type NewServer = Pick<ServerRow, 'tenant_id' | 'owner'> & {
  config: ServerConfig
  /** As it was chosen. */
  server_id: string | undefined
}

/** What users change of their own leaves sessions alone; what anyone else changes acts at once. */
function keptAs(by: Principal, server: RegisteredServer): string | undefined {
  const isOwn = server.user_id !== null && server.user_id === by.user_id
  return isOwn ? toEditionId(server) : undefined
}

function assertConfig(config: ServerConfig, scope: ServerScope): void {
  assertOwnNames([config.name, config.alias])
  // Users are told apart within their tenant only.
  if (scope === 'platform' && config.credentials === 'user') {
    const message = 'a server for all tenants has shared credentials: register it for each tenant'
    throw new AppError('invalid_request', message)
  }
}

function toQuota(scope: ServerScope, { perOwner, perTenant }: ServerQuota): ServerQuota {
  if (scope === 'platform') return {}
  return scope === 'user' ? { perOwner, perTenant } : { perTenant }
}

function notFound(server_id: string): AppError {
  return new AppError('not_found', `there is no server "${server_id}"`)
}

function idTaken(server_id: string): AppError {
  const message = `a server with the id "${server_id}" exists already: choose another id`
  return new AppError('conflict', message)
}

function changedMeanwhile(server_id: string): AppError {
  const message = `server "${server_id}" has been changed meanwhile: read it again`
  return new AppError('conflict', message)
}
