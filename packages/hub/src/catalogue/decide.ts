import type { CatalogueTool, ToolState } from './contract.ts'

/** What a tool stands at, in the database and in memory. */
export interface Standing {
  state: ToolState
  version: number
  hash: string
  pending_version: number | null
}

/** A definition that a server offers now. */
export interface Sighting {
  hash: string
  /** Its number: that of an earlier sighting of the same hash, or the next one. */
  version: number
  verdict: 'fine' | 'suspicious' | 'unusable'
}

export interface DriftPolicy {
  pinning: 'pin' | 'warn' | 'follow'
  quarantine: boolean
  /** Whether the server had no tools before: those of its first list are the ones it came with. */
  isFirst: boolean
}

/** Where a tool that nobody has seen before begins. */
export function decideNew({ hash, version, verdict }: Sighting, policy: DriftPolicy): Standing {
  const own = { version, hash }
  if (verdict === 'unusable') return { ...own, state: 'rejected', pending_version: version }
  const isSuspicious = verdict === 'suspicious' && policy.pinning !== 'follow'
  // Else a changed definition would pass under another name.
  const mustWait = isSuspicious || (policy.pinning === 'pin' && !policy.isFirst)
  if (!mustWait && !policy.quarantine) return { ...own, state: 'active', pending_version: null }
  return { ...own, state: 'quarantined', pending_version: version }
}

/** Where a known tool stands after a sighting. */
export function decideKnown(
  stored: Standing & { unusable: boolean },
  sighting: Sighting,
  policy: DriftPolicy,
): Standing {
  const { state, version, hash, pending_version } = stored
  const standing = { state, version, hash, pending_version }
  if (!isAccepted(stored)) return decideUnaccepted(stored, sighting, policy)
  if (sighting.hash === hash) return { ...standing, state: 'active', pending_version: null }
  if (state === 'rejected' && sighting.version === pending_version) return standing
  const waits = { ...standing, pending_version: sighting.version }
  if (sighting.verdict === 'unusable') return { ...waits, state: 'rejected' }
  const mustWait = policy.pinning === 'warn' && sighting.verdict === 'suspicious'
  if (policy.pinning === 'pin' || mustWait) return { ...waits, state: 'pending' }
  return {
    state: 'active',
    version: sighting.version,
    hash: sighting.hash,
    pending_version: null,
  }
}

/** A tool that has never been in use: what is seen takes the place of what was. */
function decideUnaccepted(
  stored: Standing & { unusable: boolean },
  sighting: Sighting,
  policy: DriftPolicy,
): Standing {
  const { state, version, hash, pending_version } = stored
  if (sighting.hash === hash) {
    const back = state === 'gone' ? (stored.unusable ? 'rejected' : 'quarantined') : state
    return { state: back, version, hash, pending_version }
  }
  if (stored.unusable) return decideNew(sighting, policy)
  return decideNew(sighting, { ...policy, quarantine: true })
}

/** Whether `version` itself has been in use, by an approval or because none was asked for. */
export function isAccepted({
  version,
  pending_version,
}: Pick<CatalogueTool, 'version'> & { pending_version?: number | null | undefined }): boolean {
  return pending_version !== version
}

/** Where a tool stands that its server no longer offers. A refusal is kept. */
export function decideGone(stored: Standing & { unusable: boolean }): Standing {
  const { state, version, hash, pending_version } = stored
  const isRefused = state === 'rejected' && !stored.unusable
  return { state: isRefused ? 'rejected' : 'gone', version, hash, pending_version }
}

export function isSameStanding(left: Standing | undefined, right: Standing | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return (
    left.state === right.state &&
    left.version === right.version &&
    left.hash === right.hash &&
    left.pending_version === right.pending_version
  )
}
