import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Note } from '../changes/index.ts'
import { isActive, type Principal } from '../principal.ts'
import type { Vault } from '../vault-port.ts'
import type {
  CredentialInput,
  CredentialRef,
  RegisteredServer,
  ResolvedServer,
  ServerRows,
  Servers,
} from './contract.ts'
import {
  assertCredential,
  createCredentialKeys,
  sealCredential,
  withCredential,
} from './credentials.ts'

/** Users' own credentials for shared servers. They are read when a connection is made. */
export interface CredentialBook extends Pick<Servers, 'resolveFor'> {
  set(
    principal: Principal,
    server: RegisteredServer,
    input: CredentialInput,
  ): Promise<CredentialRef>
  remove(principal: Principal, server: RegisteredServer): Promise<CredentialRef>
  /** All of a server that goes elsewhere now: they were meant for where it was. */
  removeAll(server: RegisteredServer): Promise<CredentialRef[]>
  /** Those that this process has given out and that are others by now. */
  changes(tenant_id?: string): Promise<CredentialRef[]>
  forget(tenant_id: string, server_id: string): void
}

interface Watched {
  tenant_id: string
  server_id: string
  /** The envelope that was opened for each user. */
  users: Map<string, string | undefined>
}

interface Means {
  rows: ServerRows
  vault: Vault
  key: Uint8Array
  clock: Clock
  note: Note
}

const unreadable = 'your stored credentials cannot be opened: set them again'

export function createCredentialBook({
  rows,
  vault,
  clock,
  note,
  ...means
}: Means): CredentialBook {
  const toKey = createCredentialKeys(means.key)
  const watched = new Map<string, Watched>()

  function watch({ tenant_id, server_id, user_id }: CredentialRef, envelope: string | undefined) {
    const key = toServerKey(tenant_id, server_id)
    const entry = watched.get(key) ?? { tenant_id, server_id, users: new Map() }
    entry.users.set(user_id, envelope)
    watched.set(key, entry)
  }

  async function resolveForUser(server: RegisteredServer, user_id: string) {
    const { tenant_id, server_id, config } = server
    const row = await rows.getCredential(tenant_id, server_id, user_id)
    watch({ tenant_id, server_id, user_id }, row?.secrets)
    if (!row) return { status: 'needs_credential' } as const
    const merged = await withCredential(vault, config, row)
    if (!merged) return { status: 'broken', message: unreadable } as const
    return { status: 'ok', config: merged, credential_key: toKey(server, merged) } as const
  }

  return {
    async set(principal, server, input) {
      const ref = toRef(principal, server)
      assertCredential(server, input)
      const secrets = await sealCredential(vault, ref, input)
      const set = note(principal, { ...toPlace(ref), action: 'changed', after: toNames(input) })
      await rows.setCredential({ ...ref, secrets, updated_at: clock.now() }, set)
      watch(ref, secrets)
      return ref
    },

    async remove(principal, server) {
      const ref = toRef(principal, server)
      const removed = note(principal, { ...toPlace(ref), action: 'removed' })
      await rows.deleteCredential(ref, removed)
      watch(ref, undefined)
      return ref
    },

    async removeAll({ tenant_id, server_id }) {
      const refs: CredentialRef[] = []
      for (const { user_id } of await rows.listCredentials(tenant_id, server_id)) {
        const ref = { tenant_id, server_id, user_id }
        await rows.deleteCredential(ref)
        refs.push(ref)
      }
      for (const ref of refs) watch(ref, undefined)
      return refs
    },

    async resolveFor(server, user_id): Promise<ResolvedServer> {
      const { config, broken } = server
      if (broken !== undefined) return { status: 'broken', message: broken }
      if (!hasUserCredentials(server)) {
        return { status: 'ok', config, credential_key: toKey(server, config) }
      }
      if (user_id === null) return { status: 'needs_credential' }
      return resolveForUser(server, user_id)
    },

    async changes(tenant_id) {
      const changed: CredentialRef[] = []
      for (const { server_id, users, ...rest } of watched.values()) {
        if (tenant_id !== undefined && rest.tenant_id !== tenant_id) continue
        const stored = await rows.listCredentials(rest.tenant_id, server_id)
        const envelopes = new Map(stored.map((row) => [row.user_id, row.secrets]))
        for (const [user_id, envelope] of users) {
          if (envelopes.get(user_id) === envelope) continue
          users.set(user_id, envelopes.get(user_id))
          changed.push({ tenant_id: rest.tenant_id, server_id, user_id })
        }
      }
      return changed
    },

    forget(tenant_id, server_id) {
      watched.delete(toServerKey(tenant_id, server_id))
    },
  }
}

/** A user's own server has the user's credentials in its configuration. */
function hasUserCredentials({ config, user_id }: RegisteredServer): boolean {
  return config.credentials === 'user' && user_id === null
}

function toRef(by: Principal, server: RegisteredServer): CredentialRef {
  const { user_id } = by
  if (user_id === null || !isActive(by)) {
    const message = 'credentials of a user need a user: this credential belongs to none'
    throw new AppError('forbidden', message)
  }
  if (!hasUserCredentials(server)) {
    throw new AppError('invalid_request', 'this server does not take credentials of users')
  }
  return { tenant_id: server.tenant_id, server_id: server.server_id, user_id }
}

function toPlace({ tenant_id, server_id, user_id }: CredentialRef) {
  return { tenant_id, kind: 'credential' as const, target: `${server_id}/${user_id}` }
}

/** Which secrets were given. */
function toNames({ headers = {}, env = {} }: CredentialInput) {
  return { sealed: [...Object.keys(headers), ...Object.keys(env)].sort().join(', ') }
}

function toServerKey(tenant_id: string, server_id: string): string {
  return JSON.stringify([tenant_id, server_id])
}
