import { sha256 } from '../canonical-json.ts'
import type { Limit } from '../policy/index.ts'
import type { Principal, SubjectKind } from '../principal.ts'

/** Well under what a key of the KV may have, with whatever is put before it there. */
const longestKey = 512

/**
 * The name of the window that a call of this principal counts in, or undefined where the limit
 * speaks of a kind of subject that the principal is not.
 */
export function toLimitKey(principal: Principal, limit: Limit): string | undefined {
  const { subject } = limit
  const subjectId = subject.id === '*' ? idOf[subject.kind](principal) : subject.id
  if (subjectId === undefined || subjectId === null) return undefined
  const { before, after } = partsOf(limit)
  const key = `${before}${escapeName(subjectId)}${after}`
  return key.length > longestKey ? `limit:#${sha256(key)}` : key
}

/** What the keys of a limit begin and end with. A limit is never changed, but replaced. */
const known = new WeakMap<Limit, { before: string; after: string }>()

function partsOf(limit: Limit): { before: string; after: string } {
  let parts = known.get(limit)
  if (parts === undefined) {
    const { tenant_id, limit_id, server_id, tool } = limit
    const before = `limit:${escapeName(tenant_id)}:${escapeName(limit_id)}:`
    parts = { before, after: `:${escapeName(server_id)}/${escapeName(tool)}` }
    known.set(limit, parts)
  }
  return parts
}

const idOf: Record<SubjectKind, (principal: Principal) => string | null | undefined> = {
  agent: ({ agent_id }) => agent_id,
  api_key: ({ api_key }) => api_key,
  group: ({ group_id }) => group_id,
  user: ({ user_id }) => user_id,
  tenant: ({ tenant_id }) => tenant_id,
}

/** No name can pass for two, or for another place in the key. */
function escapeName(name: string): string {
  return /[%:/#]/.test(name) ? name.replace(/[%:/#]/g, encodeURIComponent) : name
}
