import type { CatalogueEntry } from '../catalogue/index.ts'
import { originOf } from '../servers/index.ts'
import { toToolKey } from '../tool-ref.ts'
import type { Resolved, Verdict } from './contract.ts'

interface Candidate {
  entry: CatalogueEntry
  verdict: Verdict
}

export interface ResolveOptions {
  /** Undefined where the caller gave the tool's identity. */
  name: string | undefined
  entries: readonly CatalogueEntry[]
  decide(entry: CatalogueEntry): Verdict
  /** What the audit holds of a name that nothing has. */
  nothing(): Verdict
}

/**
 * The one among `entries` that the caller means. Whether a tool can be reached now plays no part: a
 * name must not pass to another server because its own is down.
 */
export function resolveTool({ name, entries, decide, nothing }: ResolveOptions): Resolved {
  const [first] = entries
  if (first !== undefined && entries.length === 1) return toOnly(first, decide(first))
  const candidates = entries.map((entry) => ({ entry, verdict: decide(entry) }))
  const allowed = candidates.filter(({ verdict }) => verdict.status !== 'deny')
  if (allowed.length === 0) return toUnknown(candidates, nothing)
  const [only, ...others] = toMeant(allowed, name)
  if (only !== undefined && others.length === 0) return { status: 'found', ...only }
  return { status: 'ambiguous', names: toNames(toMeant(allowed, name)) }
}

function toOnly(entry: CatalogueEntry, verdict: Verdict): Resolved {
  if (verdict.status === 'deny') return { status: 'unknown', verdict, entry }
  return { status: 'found', entry, verdict }
}

/** For the audit the tool that is nearest to being the caller's, of those it asked for. */
function toUnknown(candidates: readonly Candidate[], nothing: () => Verdict): Resolved {
  const nearest =
    candidates.find(({ verdict }) => verdict.by.kind !== 'not_visible') ?? candidates[0]
  if (nearest === undefined) return { status: 'unknown', verdict: nothing() }
  return { status: 'unknown', verdict: nearest.verdict, entry: nearest.entry }
}

/** A full name beats a tool's own name; one that its server no longer has gives way. */
function toMeant(allowed: readonly Candidate[], name: string | undefined): readonly Candidate[] {
  if (allowed.length === 1 || name === undefined) return allowed
  const exact = allowed.filter(({ entry }) => isFullName(entry, name))
  const meant = exact.length > 0 ? exact : allowed
  const present = meant.filter(({ entry }) => entry.tool.state !== 'gone')
  return present.length > 0 ? present : meant
}

function isFullName({ tool, sdk_name, wire_name }: CatalogueEntry, name: string): boolean {
  const server_id = originOf(tool.server_id)
  return [sdk_name, wire_name, toToolKey({ server_id, name: tool.name })].includes(name)
}

/** SDK names; where those are equal, what tells the tools apart. */
function toNames(candidates: readonly Candidate[]): string[] {
  const names = new Set(candidates.map(({ entry }) => entry.sdk_name))
  const isClear = names.size === candidates.length
  return isClear ? [...names] : candidates.map(({ entry }) => toToolKey(entry.tool))
}
