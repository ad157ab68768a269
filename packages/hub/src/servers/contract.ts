import type { ServerConfig, ServerConfigInput, ServerUpdateInput } from '@dataagent/schema'
import type { NewChange } from '../changes/index.ts'
import type { Principal } from '../principal.ts'

export { platformTenant } from '../principal.ts'

/** A registered server as this process holds it: opened secrets included. Never sent anywhere. */
export interface RegisteredServer {
  /** `*` for one that every tenant may use. */
  tenant_id: string
  server_id: string
  /** Whose it is; null is one that an administrator shares. */
  user_id: string | null
  config: ServerConfig
  /** Rises with every change of the server, over all servers. */
  revision: number
  created_at: number
  updated_at: number
  /** Who added it, where that is known. */
  created_by?: string | null | undefined
  /** Set where the stored secrets cannot be opened: the server is in error until they are set. */
  broken?: string | undefined
}

/**
 * A configuration of a user's server that has been replaced or removed, for the sessions that began
 * with it. To them it is the server: under an id of its own, which ends in `#` and its revision.
 */
export interface Edition extends RegisteredServer {
  /** The revision of the change that took it from those who come later. */
  superseded_by: number
}

/** As stored: the configuration without its secrets, and those sealed. */
export interface ServerRow {
  tenant_id: string
  server_id: string
  /** The user's id; empty for a shared one. */
  owner: string
  name: string
  config: string
  secrets: string | null
  revision: number
  created_at: number
  updated_at: number
  created_by: string | null
}

export interface EditionRow extends ServerRow {
  /** The id of the server that it is an edition of. */
  origin: string
  superseded_by: number
}

/** What a change came to. */
export interface LeftServer {
  revision: number
  /** Whether a session holds what was there before: it is an edition now. */
  isKept: boolean
}

/** What may change of a row, found by its ids and the revision it was read at. */
export type ChangedServerRow = Omit<ServerRow, 'owner' | 'created_at' | 'created_by'>

export interface CredentialRow {
  tenant_id: string
  server_id: string
  user_id: string
  secrets: string
  updated_at: number
}

export type CredentialRef = Pick<CredentialRow, 'tenant_id' | 'server_id' | 'user_id'>

/**
 * Every change takes the next revision of the topic `servers` in the same transaction, which also
 * stores the note of it.
 */
export interface ServerRows {
  /** All of a tenant, or of every tenant. */
  list(tenant_id?: string): Promise<ServerRow[]>
  /**
   * Throws `conflict` where the id or the name is taken; `quota_exceeded`, counted in the same
   * transaction, where the owner has `max` already. Gives the revision.
   */
  insert(row: Omit<ServerRow, 'revision'>, quota?: ServerQuota, note?: NewChange): Promise<number>
  listEditions(tenant_id?: string): Promise<EditionRow[]>
  /** Takes it from the sessions that have it; false where there is none. */
  deleteEdition(ref: Pick<ServerRow, 'tenant_id' | 'server_id'>, note?: NewChange): Promise<boolean>
  /**
   * Throws `conflict` where the row has another revision by now or the name is taken, `not_found`
   * where it has gone. With `keepAs` what was there before is kept under that id, with its tools,
   * as an edition for sessions that see it, if any does; without, all its editions go.
   */
  update(row: ChangedServerRow, note?: NewChange, keepAs?: string): Promise<LeftServer>
  /**
   * Also its tools and credentials; the versions of its tools stay, for the audit names them by
   * their hash. `keepAs` as above. Undefined where there was none; `conflict` for another revision
   * than that given.
   */
  delete(
    ref: Pick<ServerRow, 'tenant_id' | 'server_id'> & { revision?: number },
    note?: NewChange,
    keepAs?: string,
  ): Promise<LeftServer | undefined>
  listCredentials(tenant_id: string, server_id: string): Promise<CredentialRow[]>
  getCredential(
    tenant_id: string,
    server_id: string,
    user_id: string,
  ): Promise<CredentialRow | undefined>
  setCredential(row: CredentialRow, note?: NewChange): Promise<void>
  deleteCredential(ref: CredentialRef, note?: NewChange): Promise<boolean>
}

export interface ServerQuota {
  /** Servers that the owner may have. */
  perOwner?: number | undefined
  /** Servers that the tenant may have, its users' included. */
  perTenant?: number | undefined
}

/** What may be started or reached by whom is decided here, for every way in: add, test, import. */
export interface ServerGate {
  /** Throws `forbidden` with what to do, or `egress_denied`. */
  check(principal: Principal, config: ServerConfig, scope: ServerScope): void | Promise<void>
}

export const serverScopes = ['platform', 'tenant', 'user'] as const
export type ServerScope = (typeof serverScopes)[number]

export interface RegisterServer {
  /**
   * Made from the name where left out. That of a user's own server ends in `@` and a digest of the
   * user.
   */
  server_id?: string | undefined
  scope: ServerScope
  config: ServerConfigInput
}

/**
 * The servers of all tenants, held in memory. What a caller may not see is `not_found`, as is what
 * does not exist.
 */
export interface Servers {
  /**
   * In memory, at once. Own and shared of the tenant, and the platform's. Of several with one name
   * the nearest stands for all: a user's own for a shared one, a tenant's for the platform's. `at`
   * is the revision at which a session began: it has the user's own servers as they were.
   */
  visibleTo(
    principal: Pick<Principal, 'tenant_id' | 'user_id'>,
    at?: number,
  ): readonly RegisteredServer[]
  /** `at`, or undefined where the user's own servers are still the same as then. */
  differsAt(principal: Pick<Principal, 'tenant_id' | 'user_id'>, at: number): number | undefined
  /** An edition too, by its own id. */
  get(tenant_id: string, server_id: string): RegisteredServer | undefined
  /** Without editions. */
  all(): readonly RegisteredServer[]
  editions(): readonly Edition[]
  register(principal: Principal, server: RegisterServer): Promise<RegisteredServer>
  /**
   * A whole new configuration; a secret whose view is sent back stays. Throws `conflict` where
   * `revision` is given and no longer the server's. What a user changes of their own servers leaves
   * sessions under way alone; what an administrator changes acts on them at once.
   */
  update(
    principal: Principal,
    server_id: string,
    change: ServerUpdateInput,
    revision?: number,
  ): Promise<RegisteredServer>
  remove(principal: Principal, server_id: string): Promise<void>
  /**
   * For a platform administrator, in any tenant: ends an edition, or disables a server and ends all
   * its editions, for sessions under way too. Also where its secrets cannot be opened. Throws
   * `conflict` or `not_found` where the server is another one by now: reload, and look again.
   */
  switchOff(by: Principal, server: RegisteredServer | Edition): Promise<void>
  /**
   * A user's own headers or environment for a shared server with `credentials: 'user'`. Only what
   * the server's configuration names may be set, and the header Authorization.
   */
  setCredential(principal: Principal, server_id: string, secrets: CredentialInput): Promise<void>
  removeCredential(principal: Principal, server_id: string): Promise<void>
  /** The server's configuration with the credentials that this user's calls go out with. */
  resolveFor(server: RegisteredServer, user_id: string | null): Promise<ResolvedServer>
  /** Reads again what has changed in the store; see `Revisions`. */
  reload(tenant_id?: string): Promise<void>
  /** Calls `handler` after each change that this process has taken over. It must not throw. */
  onChange(handler: (change: ServerChange) => void): () => void
}

export type ServerChange =
  /** Told before what takes its place: it goes on as this edition. */
  | { kind: 'superseded'; edition: Edition }
  | { kind: 'set'; server: RegisteredServer }
  | { kind: 'removed'; tenant_id: string; server_id: string }
  | { kind: 'credential'; tenant_id: string; server_id: string; user_id: string }

export interface CredentialInput {
  headers?: Record<string, string> | undefined
  env?: Record<string, string> | undefined
}

export type ResolvedServer =
  | {
      status: 'ok'
      config: ServerConfig
      /**
       * The same text for the same way out: equal ones may share a connection, others never do.
       * Holds no secret.
       */
      credential_key: string
    }
  /** The user has not given their credentials yet. */
  | { status: 'needs_credential' }
  | { status: 'broken'; message: string }
