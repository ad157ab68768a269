import { platformTenant } from '../servers/index.ts'
import type { Upstream } from './upstream.ts'

/**
 * Which connection gives its place to one more of a tenant, where a process has no place left. One
 * who has its share takes from itself alone. Others, and the platform, take from tenants that have
 * more than theirs, shared servers included; else from whoever has one idle.
 */
export function findOneToGiveWay(
  upstreams: readonly Upstream[],
  tenant_id: string,
  perTenant: number,
): Upstream | undefined {
  const counts = new Map<string, number>()
  for (const { key } of upstreams) counts.set(key.tenant_id, (counts.get(key.tenant_id) ?? 0) + 1)
  const countOf = (tenant: string) => (tenant === platformTenant ? 0 : (counts.get(tenant) ?? 0))

  const unused = upstreams.filter(({ underWay }) => underWay === 0)
  const [users, shared] = [unused.filter(isUsers), unused.filter((one) => !isUsers(one))]
  const isOwn = ({ key }: Upstream) => key.tenant_id === tenant_id
  if (countOf(tenant_id) >= perTenant) {
    return longestIdle(users.filter(isOwn))
  }
  const isOver = ({ key }: Upstream) => countOf(key.tenant_id) > perTenant
  const over = shared.filter(isOver)
  return (
    longestIdle(users.filter(isOver)) ??
    longestIdle(over.filter(({ isReady }) => !isReady)) ??
    longestIdle(over) ??
    longestIdle(users.filter(isOwn)) ??
    longestIdle(users)
  )
}

function isUsers({ key }: Upstream): boolean {
  return key.user_id !== null
}

function longestIdle(upstreams: Upstream[]): Upstream | undefined {
  return upstreams.sort((a, b) => a.usedAt - b.usedAt)[0]
}
