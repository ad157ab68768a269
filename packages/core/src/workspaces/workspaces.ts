import { isAbsolute } from 'node:path'
import { systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type {
  MoveStep,
  WorkspaceOwner,
  Workspaces,
  WorkspacesOptions,
  WorkspaceUsage,
} from './contract.ts'
import { look } from './files.ts'
import { createLock } from './lock.ts'
import { type Moving, makeLive } from './make-live.ts'
import { createOpenWorkspaces } from './open-workspaces.ts'
import { createOriginNotes } from './origins.ts'
import { type OwnedPlace, type Place, placeOf } from './place.ts'
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

  const find = (owner: WorkspaceOwner) => placeOf(root, owner, defaultTenant)

  return {
    async use(owner, work) {
      return await open.hold(find(owner), ({ workspace, place }) => work(workspace, place.live))
    },
    async useFolder(owner, untrusted, work) {
      return await open.hold(find(owner), async ({ place, ledger }) => {
        try {
          return await origins.watch(place, untrusted, () => work(place.live))
        } finally {
          await ledger.recount()
        }
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
      const quota = await quotaOf(owner)
      const isMade = (await look(place.live)) ?? (await look(place.leaving))
      if (!isMade) return await usageOfArchive(place, quota)
      return await open.hold(place, async ({ workspace, ledger }) => {
        const { files, dirs } = await workspace.usage()
        return toUsage('active', { bytes: await ledger.used(), files, dirs }, quota)
      })
    },
    sweep: (asked = {}) => sweep({ root, clock, lock, open, movingOf }, asked),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  }
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
