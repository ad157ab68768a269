import type { Pause } from '../pause.ts'
import type { RegisteredServer } from '../servers/index.ts'
import type { CatalogueChange, CatalogueTool, ToolChange, ToolVersionRow } from './contract.ts'
import {
  decideGone,
  decideKnown,
  decideNew,
  isAccepted,
  isSameStanding,
  type Standing,
} from './decide.ts'
import { diffDefinitions } from './diff-definitions.ts'
import { highest } from './highest.ts'
import { makeRoom } from './make-room.ts'
import { isUnusable, standingOf, toRow, withStanding } from './row.ts'
import type { Prepared, Sight } from './sights.ts'
import type { Group, Known } from './tool-memory.ts'

/** `seen_at` is stored at most so often where nothing else changes. */
const seenEveryMs = 3_600_000

/** What an observation comes to: what to store, and what memory holds once it is stored. */
export interface Plan {
  changes: ToolChange[]
  /** Stored tools that are forgotten, with their versions. */
  dropped: ToolChange[]
  versions: ToolVersionRow[]
  results: { tool: CatalogueTool; sight?: Sight; version?: number; isStored: boolean }[]
  drift: NonNullable<CatalogueChange['drift']>[number][]
  /** How many new tools there is no place for. */
  refused: number
}

export interface PlanOptions {
  group: Group
  server: RegisteredServer
  sights: ReadonlyMap<string, Sight>
  now: number
  /** How many names the server may have, those that are gone included. */
  toolsMax: number
  prepare(sight: Sight): Prepared
  pause: Pause
}

/** Decides on every tool of a server's list, and on those that are no longer in it. */
export async function planObservation(options: PlanOptions): Promise<Plan> {
  const { refused, dropped } = makeRoom(options.group, options.sights, options.toolsMax)
  const plan: Plan = {
    changes: [],
    dropped: [],
    versions: [],
    results: [],
    drift: [],
    refused: refused.size,
  }
  const isFirst = options.group.tools.values().every(({ stored }) => stored === undefined)
  for (const sight of options.sights.values()) {
    if (refused.has(sight.name)) continue
    const known = options.group.tools.get(sight.name)
    if (known?.stored) planKnown(plan, sight, { ...options, known, stored: known.stored })
    else planNew(plan, sight, { ...options, isFirst })
    if (options.pause.isDue()) await options.pause.rest()
  }
  for (const known of options.group.tools.values()) {
    if (known.stored === undefined || options.sights.has(known.tool.name)) continue
    if (dropped.has(known)) plan.dropped.push(toDropped(known.tool, known.stored))
    else planGone(plan, known, options)
  }
  return plan
}

function planNew(plan: Plan, sight: Sight, options: NewOptions): void {
  const { group, server, now, prepare, isFirst } = options
  const { definition, findings, verdict, json } = prepare(sight)
  const past = group.past.get(sight.name)
  const number = past?.get(sight.hash)
  const version = number ?? highest(0, past?.values() ?? []) + 1
  const standing = decideNew({ hash: sight.hash, version, verdict }, { ...server.config, isFirst })
  const { tenant_id, server_id } = group
  const { name, position } = sight
  const base = { tenant_id, server_id, name, definition, findings, position }
  const tool = withStanding(
    { ...base, ...toFields(standing), created_at: now, seen_at: now },
    standing,
  )
  plan.changes.push({ row: toRow(tool), before: undefined })
  if (number === undefined) {
    plan.versions.push(toVersion(tool, { sight, version, json, findings, standing, now }))
  }
  plan.results.push({ tool, sight, version, isStored: true })
}

interface NewOptions extends PlanOptions {
  isFirst: boolean
}

function toFields({ state, version, hash }: Standing) {
  return { state, version, hash }
}

interface KnownOptions extends PlanOptions {
  known: Known
  stored: NonNullable<Known['stored']>
}

function planKnown(plan: Plan, sight: Sight, options: KnownOptions): void {
  const { known, stored, server, now, prepare } = options
  const number = known.hashes.get(sight.hash)
  const version = number ?? highest(stored.version, known.hashes.values()) + 1
  const standing = decideSight(sight, version, options)
  const isStale = now - stored.seen_at >= seenEveryMs
  const isChanged = !isSameStanding(standing, stored)
  const isTaken = standing.version !== stored.version
  const seen = { position: sight.position, seen_at: now }
  const taken = isTaken ? pickShown(prepare(sight)) : {}
  const isSame = !isChanged && !isStale && !isTaken && known.tool.position === sight.position
  const isCurrent = isSame && isSameStanding(standingOf(known.tool), standing)
  const tool = isCurrent ? known.tool : withStanding({ ...known.tool, ...taken, ...seen }, standing)

  if (number === undefined) {
    const { json, findings } = prepare(sight)
    plan.versions.push(toVersion(tool, { sight, version, json, findings, standing, now }))
  }
  const isStored = isChanged || isStale || number === undefined
  if (isStored) plan.changes.push({ row: toRow(tool), before: toStanding(stored) })
  plan.results.push({ tool, sight, version, isStored })
  if (isAccepted(stored) && sight.hash !== stored.hash && (isChanged || number === undefined)) {
    const diff = diffDefinitions(known.tool.definition, prepare(sight).definition)
    const { pinning: policy } = server.config
    plan.drift.push({
      name: sight.name,
      policy,
      diff: diff.length > 0 ? diff : [hashOnly(stored, sight)],
    })
  }
}

function pickShown({ definition, findings }: Prepared) {
  return { definition, findings }
}

/** Where what waits is seen again, nothing has to be read to know what it comes to. */
function decideSight(sight: Sight, version: number, options: KnownOptions): Standing {
  const { known, stored, server, prepare } = options
  const isSame = sight.hash === stored.hash
  const isWaiting = stored.state === 'pending' || stored.state === 'rejected'
  const waits = isWaiting && stored.pending_version === version && server.config.pinning === 'pin'
  if (!isSame && waits && isAccepted(stored)) return toStanding(stored)
  const verdict = isSame ? 'fine' : prepare(sight).verdict
  const own = { ...stored, unusable: isUnusable(known.tool) }
  return decideKnown(
    own,
    { hash: sight.hash, version, verdict },
    { ...server.config, isFirst: false },
  )
}

function toStanding({ state, version, hash, pending_version }: Standing): Standing {
  return { state, version, hash, pending_version }
}

/** What is hidden or cut differs, and nothing that is shown. */
function hashOnly(stored: Standing, sight: Sight) {
  return { path: 'hash', before: stored.hash, after: sight.hash }
}

function toDropped(tool: CatalogueTool, stored: Standing): ToolChange {
  return { row: toRow(tool), before: toStanding(stored) }
}

/** It has been offered until now: so long it is kept. */
function planGone(plan: Plan, known: Known, { now }: PlanOptions): void {
  const stored = known.stored!
  const standing = decideGone({ ...stored, unusable: isUnusable(known.tool) })
  const isCurrent = isSameStanding(standingOf(known.tool), standing)
  const isStored = !isSameStanding(standing, stored)
  const seen = isStored ? { ...known.tool, seen_at: now } : known.tool
  const tool = isCurrent ? seen : withStanding(seen, standing)
  if (isStored) plan.changes.push({ row: toRow(tool), before: toStanding(stored) })
  plan.results.push({ tool, isStored })
}

function toVersion(
  { tenant_id, server_id, name }: CatalogueTool,
  given: {
    sight: Sight
    version: number
    json: string
    findings: CatalogueTool['findings']
    standing: Standing
    now: number
  },
): ToolVersionRow {
  const { sight, version, json, findings, standing, now } = given
  const isInUse = standing.state === 'active' && standing.version === version
  return {
    tenant_id,
    server_id,
    name,
    version,
    hash: sight.hash,
    definition: json,
    findings: JSON.stringify(findings),
    seen_at: now,
    approved_at: isInUse ? now : null,
    approved_by: null,
  }
}
