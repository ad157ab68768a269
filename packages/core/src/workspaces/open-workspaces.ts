import { utimes } from 'node:fs/promises'
import { type Clock, openWorkspace, type Workspace } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { look, toAppError } from './files.ts'
import type { GivenPlace, OwnedPlace, Place, Site } from './place.ts'
import type { QuotaLedger } from './quota-ledger.ts'

/** A workspace that is open in this process. */
export interface Opened {
  place: Site
  workspace: Workspace
  ledger: QuotaLedger
}

export type AnyPlace = OwnedPlace | GivenPlace

export interface OpenWorkspaces extends AsyncDisposable {
  /** Opens it, or shares one that is open, until `work` ends. */
  hold<T>(place: AnyPlace, work: (opened: Opened) => Promise<T>): Promise<T>
  /** Closes it where nobody uses it; false where someone does. */
  closeUnused(key: string): Promise<boolean>
}

export interface OpenWorkspacesOptions {
  clock: Clock
  maxIdleOpen: number
  closeAfterMs: number
  /** Puts the files where they are used. */
  makeLive(place: Place): Promise<void>
  ledgerOf(place: OwnedPlace, measure: () => Promise<number>): QuotaLedger
  maxWriteBytes: number | undefined
}

interface Entry {
  opening: Promise<OpenedFolder>
  users: number
  stampedAt: number
  cancelClose: () => void
}

/** A workspace's folder tells when it was last used, to this. */
export const stampMs = 60_000
/** What was not used for so long is tidied and counted anew when it is. */
const tidyAfterMs = 3_600_000
const tries = 5

/** Keeps workspaces open while they are used and a while after, the last used the longest. */
export function createOpenWorkspaces(options: OpenWorkspacesOptions): OpenWorkspaces {
  const { clock, maxIdleOpen, closeAfterMs } = options
  /** Those that nobody uses are in the order of their last use. */
  const entries = new Map<string, Entry>()
  let isClosed = false

  function take(place: AnyPlace): Entry {
    if (isClosed) throw new AppError('unavailable', 'The workspaces are closed')
    const entry = entries.get(place.key) ?? {
      opening: openAt(options, place).catch((error) => {
        throw toAppError(error)
      }),
      users: 0,
      stampedAt: clock.now(),
      cancelClose: () => {},
    }
    entries.set(place.key, entry)
    entry.cancelClose()
    entry.users++
    return entry
  }

  async function give(key: string, entry: Entry): Promise<void> {
    entry.users--
    if (entry.users > 0) return
    if (entries.get(key) !== entry) return await close(entry)
    entries.delete(key)
    entries.set(key, entry)
    entry.cancelClose = clock.after(closeAfterMs, () => void drop(key, entry))
    const idle = [...entries].filter(([, each]) => each.users === 0)
    const tooMany = idle.slice(0, Math.max(0, idle.length - maxIdleOpen))
    await Promise.all(tooMany.map(([other, each]) => drop(other, each)))
  }

  /** Takes it off the map; whoever uses it last closes it. */
  async function drop(key: string, entry: Entry): Promise<void> {
    if (entries.get(key) === entry) entries.delete(key)
    entry.cancelClose()
    if (entry.users === 0) await close(entry)
  }

  /** Whether the folder that is open is still where the workspace is. Stamps it where due. */
  async function isThere(entry: Entry, { kind, live }: AnyPlace): Promise<boolean> {
    const { ino } = await entry.opening
    if (kind === 'owned' && clock.now() - entry.stampedAt >= stampMs) {
      await stamp(live, clock.now())
      entry.stampedAt = clock.now()
    }
    return (await look(live))?.ino === ino
  }

  async function hold<T>(place: AnyPlace, work: (opened: Opened) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= tries; attempt++) {
      const entry = take(place)
      try {
        if (await isThere(entry, place)) return await work(await entry.opening)
        await drop(place.key, entry)
      } catch (error) {
        if (await hasFailed(entry)) await drop(place.key, entry)
        throw error
      } finally {
        await give(place.key, entry)
      }
    }
    throw moved()
  }

  return {
    hold,
    async closeUnused(key) {
      const entry = entries.get(key)
      if (entry === undefined) return true
      if (entry.users > 0) return false
      await drop(key, entry)
      return true
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all([...entries].map(([key, entry]) => drop(key, entry)))
    },
  }
}

type OpenedFolder = Opened & { ino: number }

async function openAt(options: OpenWorkspacesOptions, place: AnyPlace): Promise<OpenedFolder> {
  if (place.kind === 'owned') return await openOwned(options, place)
  const given = await openLive(options, place)
  if (given === undefined) throw new AppError('unavailable', 'The folder is not there any more')
  return given
}

async function openOwned(options: OpenWorkspacesOptions, place: OwnedPlace): Promise<OpenedFolder> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const before = await look(place.live)
    if (before === undefined) await options.makeLive(place)
    const now = options.clock.now()
    const opened = (await stamp(place.live, now)) ? await openLive(options, place) : undefined
    if (opened === undefined) continue
    if (before === undefined || now - before.mtimeMs > tidyAfterMs) await tidy(opened)
    return opened
  }
  throw moved()
}

/** Undefined where it is not there; one that was just moved away is found in use by its mover. */
async function openLive(
  { clock, ledgerOf, maxWriteBytes }: OpenWorkspacesOptions,
  place: AnyPlace,
): Promise<OpenedFolder | undefined> {
  const measure = async () => (await workspace.usage()).bytes
  const ledger = place.kind === 'given' ? unlimited : ledgerOf(place, measure)
  let workspace: Workspace
  try {
    workspace = await openWorkspace({
      ...{ root: place.live, ledger, clock },
      ...(maxWriteBytes !== undefined && { maxWriteBytes }),
    })
  } catch (error) {
    if ((await look(place.live)) === undefined) return undefined
    throw error
  }
  return { place, workspace, ledger, ino: (await look(place.live))?.ino ?? 0 }
}

/** Of a folder that may hold anything, and that we do not count. */
const unlimited: QuotaLedger = {
  reserve: async () => {},
  release: async () => {},
  used: async () => 0,
  recount: async () => {},
}

/** Files can be read also where the store that counts them is away. */
async function tidy({ workspace, ledger }: Opened): Promise<void> {
  await workspace.sweep()
  await ledger.recount().catch(() => {})
}

/** Whoever archives looks at this. False where the workspace was just moved. */
async function stamp(live: string, now: number): Promise<boolean> {
  return await utimes(live, now / 1000, now / 1000).then(
    () => true,
    () => false,
  )
}

function moved(): AppError {
  return new AppError('unavailable', 'The workspace is being moved. Try again')
}

function hasFailed({ opening }: Entry): Promise<boolean> {
  return opening.then(
    () => false,
    () => true,
  )
}

async function close({ opening }: Entry): Promise<void> {
  const opened = await opening.catch(() => undefined)
  await opened?.workspace[Symbol.asyncDispose]()
}
