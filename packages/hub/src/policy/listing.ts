import type { Catalogue, CatalogueEntry } from '../catalogue/index.ts'
import { ownServerId } from '../define-tool/index.ts'
import { platformTenant, type RegisteredServer } from '../servers/index.ts'
import { areSame } from './are-same.ts'
import type { Caller } from './callers.ts'
import type { Judged } from './judge.ts'

/** What a caller was told there is, and how long that holds. */
export interface Listing {
  entries: readonly CatalogueEntry[]
  catalogueRevision: number
  visible: readonly RegisteredServer[]
  /** Other sessions may see others. */
  bySession: boolean
  /** Wall time at which a rule that counted ends. */
  until: number
}

export interface ListOptions {
  caller: Caller
  catalogue: Pick<Catalogue, 'ofServer' | 'revision'>
  session_id: string | undefined
  now: number
  /** The judgement on a tool, and whether it lets the caller call it. */
  judge(entry: CatalogueEntry): { judged: Judged; isAllowed: boolean }
}

/** The most sessions of one caller whose lists are kept. */
const maxSessions = 16

/** The list of late, as long as it holds; the same array where a new one would be equal. */
export function listTools(options: ListOptions): readonly CatalogueEntry[] {
  const { caller, session_id = '' } = options
  const general = caller.listings.get('')
  const before = general?.bySession === false ? general : caller.listings.get(session_id)
  if (before !== undefined && holds(before, options)) return before.entries
  const listing = makeListing(options)
  if (before !== undefined && areSame(before.entries, listing.entries)) {
    listing.entries = before.entries
  }
  if (!listing.bySession) caller.listings.clear()
  else if (general?.bySession === false) caller.listings.delete('')
  if (caller.listings.size >= maxSessions) caller.listings.clear()
  caller.listings.set(listing.bySession ? session_id : '', listing)
  return listing.entries
}

function holds(listing: Listing, { caller, catalogue, now }: ListOptions): boolean {
  const { catalogueRevision, until } = listing
  return (
    catalogueRevision === catalogue.revision &&
    now < until &&
    listing.visible === caller.servers.list
  )
}

function makeListing({ caller, catalogue, judge, now }: ListOptions): Listing {
  const entries: CatalogueEntry[] = []
  let until = Number.POSITIVE_INFINITY
  let bySession = false
  const own = { tenant_id: platformTenant, server_id: ownServerId }
  for (const { tenant_id, server_id } of [own, ...caller.servers.list]) {
    for (const entry of catalogue.ofServer(tenant_id, server_id)) {
      const { judged, isAllowed } = judge(entry)
      if (judged.isTimed) {
        for (const { expires_at, session_id } of judged.rules) {
          if (expires_at !== null && expires_at > now) until = Math.min(until, expires_at)
          bySession ||= session_id !== null
        }
      }
      if (isAllowed && entry.offer.status === 'offered') entries.push(entry)
    }
  }
  entries.sort(bySdkName)
  return {
    entries,
    catalogueRevision: catalogue.revision,
    visible: caller.servers.list,
    bySession,
    until,
  }
}

function bySdkName(a: CatalogueEntry, b: CatalogueEntry): number {
  if (a.sdk_name !== b.sdk_name) return a.sdk_name < b.sdk_name ? -1 : 1
  if (a.tool.server_id !== b.tool.server_id) return a.tool.server_id < b.tool.server_id ? -1 : 1
  return a.tool.name < b.tool.name ? -1 : 1
}
