import { statfs } from 'node:fs/promises'
import type { Clock, Usage } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { FolderBounds } from './contract.ts'
import { toSize } from './quota-ledger.ts'

export interface GrowthLimits {
  folder: string
  measure(options: { signal: AbortSignal; maxEntries: number }): Promise<Usage>
  quota: number
  /** Folders and links count as files do. */
  maxFiles: number
  reserveBytes: number | undefined
  everyMs: number
  clock: Clock
}

/** What vanishes while it is measured makes a measurement incomplete. */
const attempts = 3
/** A large workspace is measured less often: measuring is a quarter of the time at most. */
const restPerWork = 3

/**
 * Runs `work` and measures the folder meanwhile. Throws where there is too much before it begins;
 * later it is told by its bounds.
 */
export async function withinBounds<T>(
  limits: GrowthLimits,
  work: (bounds: FolderBounds) => Promise<T>,
): Promise<T> {
  await assertRoom(limits)
  const passed = new AbortController()
  const over = new AbortController()
  const watching = watch(limits, { passed, over: over.signal })
  try {
    return await work({ signal: passed.signal, maxFileBytes: limits.quota })
  } finally {
    over.abort()
    await watching
  }
}

async function assertRoom(limits: GrowthLimits): Promise<void> {
  const { signal } = new AbortController()
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { excess, complete } = await look(limits, signal)
    if (excess) throw excess
    if (complete) return
  }
  throw new AppError(
    'quota_exceeded',
    'A part of the workspace cannot be measured: a folder is nested too deep, or may not be read. ' +
      'Nothing was run. Delete that folder with the file tools, or ask an administrator to',
    { data: { limit: 'workspace_quota', max: limits.quota } },
  )
}

async function watch(
  limits: GrowthLimits,
  { passed, over }: { passed: AbortController; over: AbortSignal },
): Promise<void> {
  const { clock, everyMs } = limits
  let restMs = everyMs
  while (!over.aborted && !passed.signal.aborted) {
    await rest(clock, restMs, over)
    if (over.aborted) return
    const begun = clock.monotonic()
    // What cannot be measured now may be at the next look, and is before the next command.
    const found = await look(limits, over).catch(() => undefined)
    if (found?.excess && !over.aborted) passed.abort(found.excess)
    restMs = Math.max(everyMs, (clock.monotonic() - begun) * restPerWork)
  }
}

function rest(clock: Clock, ms: number, over: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  const onOver = () => resolve()
  over.addEventListener('abort', onOver, { once: true })
  return promise.finally(() => {
    cancel()
    over.removeEventListener('abort', onOver)
  })
}

interface Look {
  excess?: AppError
  complete: boolean
}

async function look(limits: GrowthLimits, signal: AbortSignal): Promise<Look> {
  const { quota, maxFiles } = limits
  const full = await findFullDisk(limits)
  if (full) return { excess: full, complete: true }
  const maxEntries = maxFiles + 1
  const { bytes, files, dirs, others, complete } = await limits.measure({ signal, maxEntries })
  if (bytes > quota) return { excess: tooLarge(bytes, quota), complete }
  if (files + dirs + others > maxFiles) return { excess: tooMany(maxFiles), complete }
  return { complete }
}

/** Also what no measurement finds: files that are open and have no name any more. */
async function findFullDisk({ folder, reserveBytes }: GrowthLimits): Promise<AppError | undefined> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const reserve = reserveBytes ?? Math.min(512 * 1024 ** 2, blocks * bsize * 0.05)
  if (bavail * bsize >= reserve) return undefined
  return new AppError(
    'storage_full',
    'The disk of the workspaces is nearly full: commands cannot run. Ask an administrator to make room',
  )
}

const advice = 'Delete files that are no longer needed with the file tools'

function tooLarge(used: number, most: number): AppError {
  const message = `The workspace is full: ${toSize(used)} of ${toSize(most)} are used. ${advice}, or ask an administrator for a larger quota`
  const data = { limit: 'workspace_quota', max: most, used_bytes: used, quota_bytes: most }
  return new AppError('quota_exceeded', message, { data })
}

function tooMany(most: number): AppError {
  const message = `The workspace has too many files and folders: at most ${most} may be there. ${advice}`
  return new AppError('quota_exceeded', message, { data: { limit: 'workspace_files', max: most } })
}
