import { sha256 } from '../canonical-json.ts'
import { ownServerId } from '../define-tool/index.ts'
import { originOf, platformTenant, type RegisteredServer } from '../servers/index.ts'

/**
 * What each server is called in the names of its tools: its alias or name, unless another server
 * that the same caller can see is called so. The platform's servers come first, then those that a
 * tenant shares, then a user's own; a server of one user never changes what another's is called. An
 * edition is called what the server was, and takes no name from those that are there.
 */
export function toLabels(
  servers: readonly RegisteredServer[],
  editions: readonly RegisteredServer[] = [],
): Map<string, string> {
  const labels = new Map<string, string>()
  const ordered = [...servers].sort(
    (a, b) => a.created_at - b.created_at || (a.server_id < b.server_id ? -1 : 1),
  )
  const platform = createClaims()
  const tenants = new Map<string, Claims>()
  const users = new Map<string, Claims>()

  for (const rank of [isPlatform, isShared, isOwn]) {
    for (const server of ordered.filter(rank)) {
      const tenant = getOr(tenants, server.tenant_id, createClaims)
      const user = getOr(users, `${server.tenant_id}/${server.user_id}`, createClaims)
      const seen = [platform, tenant, user]
      const own = isPlatform(server) ? platform : isShared(server) ? tenant : user
      const label = server.config.alias ?? server.config.name
      const isFree = seen.every((claims) => claims.isFree(label))
      if (isFree) own.add(label)
      labels.set(toServerKey(server), isFree ? label : qualify(label, server))
    }
  }
  for (const edition of editions) {
    const label = edition.config.alias ?? edition.config.name
    const shared = [platform, getOr(tenants, edition.tenant_id, createClaims)]
    const isFree = shared.every((claims) => claims.isFree(label))
    labels.set(toServerKey(edition), isFree ? label : qualify(label, edition))
  }
  return labels
}

export function toServerKey({
  tenant_id,
  server_id,
}: {
  tenant_id: string
  server_id: string
}): string {
  return `${tenant_id}/${server_id}`
}

const isPlatform = ({ tenant_id }: RegisteredServer) => tenant_id === platformTenant
const isShared = (server: RegisteredServer) => !isPlatform(server) && server.user_id === null
const isOwn = (server: RegisteredServer) => !isPlatform(server) && server.user_id !== null

/** No name of a server has a tilde: what is qualified is like nothing else. */
function qualify(label: string, { tenant_id, server_id }: RegisteredServer): string {
  const key = toServerKey({ tenant_id, server_id: originOf(server_id) })
  return `${label}~${sha256(key).slice(0, 12)}`
}

interface Claims {
  isFree(label: string): boolean
  add(label: string): void
}

/** `a.b` and `a` are not both free: the tool `b.c` of one would be the tool `c` of the other. */
function createClaims(): Claims {
  const labels = new Set<string>(['mcp', ownServerId])
  const beginnings = new Set<string>()
  return {
    isFree: (label) =>
      !labels.has(label) &&
      !beginnings.has(label) &&
      !beginningsOf(label).some((beginning) => labels.has(beginning)),
    add(label) {
      labels.add(label)
      for (const beginning of beginningsOf(label)) beginnings.add(beginning)
    },
  }
}

function beginningsOf(label: string): string[] {
  const parts = label.split('.')
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join('.'))
}

function getOr<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key) ?? create()
  map.set(key, found)
  return found
}
