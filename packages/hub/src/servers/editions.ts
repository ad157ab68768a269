import type { Edition, RegisteredServer } from './contract.ts'

/** Configurations of users' servers that are no longer theirs, but of sessions that began so. */
export interface Editions {
  /** Rises with every change. */
  readonly revision: number
  get(tenant_id: string, server_id: string): Edition | undefined
  ofTenant(tenant_id: string | undefined): Edition[]
  ofUser(tenant_id: string, user_id: string): Iterable<Edition>
  set(edition: Edition): void
  remove(edition: Edition): void
}

type ById = Map<string, Edition>

export function createEditions(): Editions {
  const byId: ById = new Map()
  const users = new Map<string, ById>()
  let revision = 0

  return {
    get revision() {
      return revision
    },
    get: (tenant_id, server_id) => byId.get(toKey(tenant_id, server_id)),
    ofTenant: (tenant_id) =>
      [...byId.values()].filter((one) => (tenant_id ?? one.tenant_id) === one.tenant_id),
    ofUser: (tenant_id, user_id) => users.get(toKey(tenant_id, user_id))?.values() ?? [],
    set(edition) {
      revision += 1
      byId.set(toKey(edition.tenant_id, edition.server_id), edition)
      const key = toUserKey(edition)
      users.set(key, (users.get(key) ?? new Map()).set(edition.server_id, edition))
    },
    remove(edition) {
      revision += 1
      byId.delete(toKey(edition.tenant_id, edition.server_id))
      const ofUser = users.get(toUserKey(edition))
      ofUser?.delete(edition.server_id)
      if (ofUser?.size === 0) users.delete(toUserKey(edition))
    },
  }
}

/** Whether a session that began at the revision `at` sees the configuration. */
export function isSeenAt(server: RegisteredServer | Edition, at: number): boolean {
  const until = 'superseded_by' in server ? server.superseded_by : Number.POSITIVE_INFINITY
  return server.revision <= at && at < until
}

function toUserKey({ tenant_id, user_id }: Edition): string {
  return toKey(tenant_id, user_id ?? '')
}

/** The length tells where the tenant ends: no two pairs have one key. */
function toKey(tenant_id: string, id: string): string {
  return `${tenant_id.length}/${tenant_id}${id}`
}
