import { statfs } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { openWorkspace, systemClock } from '@dataagent/guard'
import { AppError, isAppError } from '@dataagent/schema'
import type {
  MoveStep,
  WorkspaceGlance,
  WorkspaceOwner,
  Workspaces,
  WorkspacesOptions,
  WorkspaceUsage,
} from './contract.ts'
import { look } from './files.ts'
import { withinBounds } from './growth.ts'
import { createLock } from './lock.ts'
import { type Moving, makeLive } from './make-live.ts'
import { createOpenWorkspaces } from './open-workspaces.ts'
import { createOriginNotes } from './origins.ts'
import { foldersOf, givenPlace, type OwnedPlace, type Place, placeOf } from './place.ts'
import { createLocalCounter, createQuotaLedger, type QuotaLedger } from './quota-ledger.ts'
import { sweep } from './sweep.ts'

const defaultQuota = 1024 ** 3

/** The workspaces under one root. Throws `config_invalid` for a root that is not absolute. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { root, kv, clock = systemClock, defaultTenant = 'default' } = options
  if (!isAbsolute(root)) {
    throw new AppError('config_invalid', 'The root of the workspaces must be an absolute path')
  }
  const counter = kv ?? createLocalCounter()
  const lock = createLock(kv, clock)
  const origins = createOriginNotes()
  const open = createOpenWorkspaces({
    clock,
    maxIdleOpen: options.maxIdleOpen ?? 256,
    closeAfterMs: options.closeAfterMs ?? 60_000,
    maxWriteBytes: options.maxWriteBytes,
    makeLive: (place) => lock(place.key, (signal) => makeLive(place, movingOf(place, signal))),
    ledgerOf,
  })

  function movingOf({ key }: Place, signal: AbortSignal): Moving {
    return { signal, step: async (step: MoveStep) => await options.onStep?.(step, key) }
  }

  async function quotaOf({ tenant_id, user_id }: WorkspaceOwner): Promise<number> {
    return (await options.quotaOf?.(tenant_id, user_id)) ?? defaultQuota
  }

  function ledgerOf({ key, owner }: OwnedPlace, measure: () => Promise<number>): QuotaLedger {
    const quota = () => quotaOf(owner)
    return createQuotaLedger({ counter, key, quota, measure })
  }

  const { maxFiles = 100_000, reserveBytes, measureEveryMs = 1_000 } = options
  const growth = { maxFiles, reserveBytes, everyMs: measureEveryMs, clock }

  function find(owner: WorkspaceOwner) {
    const place = placeOf(root, owner, defaultTenant)
    const folder = options.folderOf?.(owner)
    return folder === undefined ? place : givenPlace(root, folder)
  }

  return {
    async use(owner, work) {
      return await open.hold(find(owner), ({ workspace, place }) => work(workspace, place.live))
    },
    async useFolder(owner, untrusted, work) {
      const quota = await quotaOf(owner)
      const found = find(owner)
      return await open.hold(found, async ({ place, workspace, ledger }) => {
        if (found.kind === 'given')
          return await origins.watch(place, untrusted, () => work(place.live))
        const limits = { ...growth, quota, folder: place.live, measure: workspace.usage }
        const keepWithin = () =>
          withinBounds(limits, (bounds) =>
            origins.watch(place, untrusted, () => work(place.live, bounds)),
          )
        return await keepWithin().finally(() => ledger.recount())
      })
    },
    noteOrigins: async (owner, path, server_ids) =>
      await origins.note(find(owner), path, server_ids),
    originsOf: async (owner, paths) => await origins.of(find(owner), paths),
    async recount(owner) {
      await open.hold(find(owner), ({ ledger }) => ledger.recount())
    },
    async usage(owner) {
      const place = find(owner)
      if (place.kind === 'given') return await open.hold(place, () => usageOfDisk(place.live))
      const quota = await quotaOf(owner)
      const isMade = (await look(place.live)) ?? (await look(place.leaving))
      if (!isMade) return await usageOfArchive(place, quota)
      return await open.hold(place, async ({ workspace, ledger }) => {
        const { files, dirs } = await workspace.usage()
        return toUsage('active', { bytes: await ledger.used(), files, dirs }, quota)
      })
    },
    async glance(owner, { signal } = {}) {
      const place = find(owner)
      const quota_bytes = await quotaOf(owner)
      try {
        if (place.kind === 'given') return await glanceAtGiven(place.live)
        const folder = (await look(place.live)) ? place.live : place.leaving
        const stats = await look(folder)
        if (!stats) return await glanceAtArchive(place, quota_bytes)
        const bytes = await ledgerOf(place, () => measure(folder, signal)).used()
        return { status: 'active', bytes, quota_bytes, used_at: Math.round(stats.mtimeMs) }
      } catch (cause) {
        if (signal?.aborted || isAppError(cause, 'store_unavailable')) throw cause
        return { status: 'unknown', bytes: null, quota_bytes, used_at: null, cause }
      }
    },
    foldersOf: (tenant_id) => foldersOf(root, tenant_id, defaultTenant),
    sweep: (asked = {}) => sweep({ root, clock, lock, open, movingOf }, asked),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  }
}

/** Throws where not all of it could be measured. */
async function measure(folder: string, signal: AbortSignal | undefined): Promise<number> {
  await using workspace = await openWorkspace({ root: folder })
  const { bytes, complete } = await workspace.usage(signal ? { signal } : {})
  if (!complete) throw new AppError('unavailable', 'The workspace could not be measured wholly')
  return bytes
}

/** A folder that was given may hold millions of files: what bounds it is its disk. */
async function usageOfDisk(folder: string): Promise<WorkspaceUsage> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder)
  const bytes = (blocks - bfree) * bsize
  const left_bytes = bavail * bsize
  return { status: 'active', files: 0, dirs: 0, bytes, left_bytes, quota_bytes: bytes + left_bytes }
}

async function glanceAtGiven(folder: string): Promise<WorkspaceGlance> {
  const { status, bytes, quota_bytes } = await usageOfDisk(folder)
  const stats = await look(folder)
  return { status, bytes, quota_bytes, used_at: stats ? Math.round(stats.mtimeMs) : null }
}

async function glanceAtArchive(place: Place, quota_bytes: number): Promise<WorkspaceGlance> {
  const { status, bytes } = await usageOfArchive(place, quota_bytes)
  const packed = await look(place.archive)
  return { status, bytes, quota_bytes, used_at: packed ? Math.round(packed.mtimeMs) : null }
}

async function usageOfArchive(place: Place, quota: number): Promise<WorkspaceUsage> {
  const archived = await look(place.archive)
  const bytes = archived?.size ?? 0
  return toUsage(archived ? 'archived' : 'none', { bytes, files: 0, dirs: 0 }, quota)
}

function toUsage(
  status: WorkspaceUsage['status'],
  counts: Pick<WorkspaceUsage, 'bytes' | 'files' | 'dirs'>,
  quota_bytes: number,
): WorkspaceUsage {
  return { status, ...counts, quota_bytes, left_bytes: Math.max(0, quota_bytes - counts.bytes) }
}
