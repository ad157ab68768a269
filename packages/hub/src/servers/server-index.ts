import { platformTenant, type RegisteredServer, type Servers } from './contract.ts'
import { type Editions, isSeenAt } from './editions.ts'

/** The servers in memory, by tenant and id and by whose they are. */
export interface ServerIndex extends Pick<Servers, 'visibleTo' | 'differsAt' | 'get' | 'all'> {
  set(server: RegisteredServer): void
  remove(tenant_id: string, server_id: string): void
  /** The empty text is who shares. */
  ofOwner(tenant_id: string, owner: string): Iterable<RegisteredServer>
  ofTenant(tenant_id: string): Iterable<RegisteredServer>
  /** Whether a new server of the tenant could be mistaken for another one by this id. */
  isTaken(tenant_id: string, server_id: string): boolean
}

type ById = Map<string, RegisteredServer>
type Whose = Parameters<Servers['visibleTo']>[0]

/** Lists that are kept until something changes. */
const listsMax = 10_000

export function createServerIndex(editions: Editions): ServerIndex {
  const tenants = new Map<string, ById>()
  const owners = new Map<string, ById>()
  const lists = new Map<string, readonly RegisteredServer[]>()

  const ofTenant = (tenant_id: string) => tenants.get(tenant_id)?.values() ?? []
  const ofOwner = (tenant_id: string, owner: string) =>
    owners.get(toOwnerKey(tenant_id, owner))?.values() ?? []

  function ofUser(tenant_id: string, user_id: string, at: number | undefined) {
    const own = [...ofOwner(tenant_id, user_id)]
    if (at === undefined) return own
    return [...own, ...editions.ofUser(tenant_id, user_id)].filter((one) => isSeenAt(one, at))
  }

  function listFor({ tenant_id, user_id }: Whose, at: number | undefined) {
    const byName = new Map<string, RegisteredServer>()
    const tiers = [
      ofOwner(platformTenant, ''),
      ofOwner(tenant_id, ''),
      user_id === null ? [] : ofUser(tenant_id, user_id, at),
    ]
    for (const server of tiers.flatMap((tier) => [...tier])) byName.set(server.config.name, server)
    return Object.freeze([...byName.values()])
  }

  function remove(tenant_id: string, server_id: string): void {
    const server = tenants.get(tenant_id)?.get(server_id)
    if (!server) return
    lists.clear()
    removeFrom(tenants, tenant_id, server_id)
    removeFrom(owners, toOwnerKey(tenant_id, server.user_id ?? ''), server_id)
  }

  return {
    visibleTo(whose, at) {
      const owner = toOwnerKey(whose.tenant_id, whose.user_id ?? '')
      const key = at === undefined ? owner : `${at}.${editions.revision}\n${owner}`
      const known = lists.get(key)
      if (known) return known
      if (lists.size >= listsMax) lists.clear()
      const list = listFor(whose, at)
      lists.set(key, list)
      return list
    },
    differsAt({ tenant_id, user_id }, at) {
      if (user_id === null) return undefined
      for (const server of ofOwner(tenant_id, user_id)) if (server.revision > at) return at
      for (const edition of editions.ofUser(tenant_id, user_id)) {
        if (isSeenAt(edition, at)) return at
      }
      return undefined
    },
    get: (tenant_id, server_id) => tenants.get(tenant_id)?.get(server_id),
    all: () => [...tenants.values()].flatMap((servers) => [...servers.values()]),
    set(server) {
      const { tenant_id, server_id, user_id } = server
      remove(tenant_id, server_id)
      lists.clear()
      addTo(tenants, tenant_id, server)
      addTo(owners, toOwnerKey(tenant_id, user_id ?? ''), server)
    },
    remove,
    ofOwner,
    ofTenant,
    isTaken(tenant_id, server_id) {
      const asked = tenant_id === platformTenant ? [...tenants.keys()] : [tenant_id, platformTenant]
      return asked.some((tenant) => tenants.get(tenant)?.has(server_id))
    },
  }
}

/** The length tells where the tenant ends: no two pairs have one key. Asked for at every call. */
function toOwnerKey(tenant_id: string, owner: string): string {
  return `${tenant_id.length}/${tenant_id}${owner}`
}

function addTo(groups: Map<string, ById>, key: string, server: RegisteredServer): void {
  const group = groups.get(key) ?? new Map()
  groups.set(key, group.set(server.server_id, server))
}

function removeFrom(groups: Map<string, ById>, key: string, server_id: string): void {
  const group = groups.get(key)
  group?.delete(server_id)
  if (group?.size === 0) groups.delete(key)
}
