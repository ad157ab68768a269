import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import { archive } from './archive.ts'
import type { SweepReport, WorkspaceSweep } from './contract.ts'
import { look, namesIn, toAppError } from './files.ts'
import type { Lock } from './lock.ts'
import { type Moving, makeLive } from './make-live.ts'
import { type OpenWorkspaces, stampMs } from './open-workspaces.ts'
import { archivesOf, isKey, isUnfinished, type Place, placeAt } from './place.ts'

export interface SweepMeans {
  root: string
  clock: Clock
  lock: Lock
  open: OpenWorkspaces
  movingOf(place: Place, signal: AbortSignal): Moving
}

const day = 86_400_000

/** One pass over all workspaces. What fails with one is told and keeps no other from its turn. */
export async function sweep(
  means: SweepMeans,
  { idleMs = 30 * day, signal }: WorkspaceSweep,
): Promise<SweepReport> {
  const report: SweepReport = { archived: 0, recovered: 0, kept: [] }
  // A use is stamped only so often.
  const before = means.clock.now() - Math.max(idleMs, 2 * stampMs)
  const unfinished = await unfinishedIn(means.root)
  for (const place of await placesIn(means.root)) {
    signal?.throwIfAborted()
    try {
      await tidy(means, place, { unfinished: unfinished.get(place.key) ?? [], report })
      await archiveIfIdle(means, place, { before, signal, report })
    } catch (error) {
      if (signal?.aborted) throw error
      const reason = isAppError(error) ? error.message : toAppError(error).message
      report.kept.push({ workspace: place.key, reason })
    }
  }
  return report
}

interface Left {
  /** Files and folders of moves that were under way when the pass began. */
  unfinished: string[]
  report: SweepReport
}

/** Undoes what a dead process left half done: under the lock nobody else is at it. */
async function tidy(means: SweepMeans, place: Place, { unfinished, report }: Left): Promise<void> {
  const isHalfMoved = async () => {
    const [live, leaving, packed] = await Promise.all(
      [place.live, place.leaving, place.archive].map(look),
    )
    return leaving !== undefined || (live !== undefined && packed !== undefined)
  }
  if (unfinished.length === 0 && !(await isHalfMoved())) return
  await means.lock(place.key, async (signal) => {
    for (const path of unfinished) await rm(path, { recursive: true, force: true })
    if (!(await isHalfMoved())) return
    await makeLive(place, means.movingOf(place, signal))
    report.recovered++
  })
}

interface Idle {
  before: number
  signal: AbortSignal | undefined
  report: SweepReport
}

async function archiveIfIdle(means: SweepMeans, place: Place, { before, signal, report }: Idle) {
  const isIdle = async () => {
    const stats = await look(place.live)
    return stats?.isDirectory() === true && stats.mtimeMs <= before
  }
  if (!(await isIdle()) || !(await means.open.closeUnused(place.key))) return
  const outcome = await means.lock(place.key, async (lost) => {
    const both = signal === undefined ? lost : AbortSignal.any([lost, signal])
    return await archive(place, before, means.movingOf(place, both))
  })
  if (outcome === 'archived') report.archived++
}

/** Every place that has a workspace, an archive, or something that was left of a move. */
async function placesIn(root: string): Promise<Place[]> {
  const keys = new Set<string>()
  for (const base of [root, archivesOf(root)]) {
    for (const name of await namesIn(base)) {
      if (!name.startsWith('@')) keys.add(toUser(name))
      else for (const user of await namesIn(join(base, name))) keys.add(`${name}/${toUser(user)}`)
    }
  }
  return [...keys]
    .filter(isKey)
    .sort()
    .map((key) => placeAt(root, key))
}

/** Archives and what is left of moves have the user's folder name, a dot and more. */
function toUser(name: string): string {
  return name.split('.', 1)[0] ?? name
}

/** What moves have under way, or a dead process has left of them, by the key of its place. */
async function unfinishedIn(root: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const tenant of ['', ...(await namesIn(archivesOf(root)))]) {
    if (tenant !== '' && !tenant.startsWith('@')) continue
    for (const name of await namesIn(join(archivesOf(root), tenant))) {
      if (!isUnfinished(name)) continue
      const key = join(tenant, toUser(name))
      const path = join(archivesOf(root), tenant, name)
      found.set(key, [...(found.get(key) ?? []), path])
    }
  }
  return found
}
