import type { Stats } from 'node:fs'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { AppError } from '@dataagent/schema/base'
import { type Clock, systemClock } from '../clock.ts'
import type { Base } from './base.ts'
import { openCheckedDir } from './checked-dir.ts'
import { createExclusive, type Exclusive } from './exclusive.ts'
import { createGate } from './gate.ts'
import type { HeldDir } from './held-dir.ts'
import { freeLedger, type Ledger } from './ledger.ts'
import { createLooks, type Looks } from './list.ts'
import { createMoves, type Moves } from './move.ts'
import { canHoldByDescriptor, openProcDir } from './proc-dir.ts'
import { createReads, type Reads } from './read.ts'
import { createRemoves, type Removes } from './remove.ts'
import { createTempNames } from './temp-names.ts'
import { createWrites, type Writes } from './write.ts'

export interface WorkspaceOptions {
  /** Absolute; links in it are resolved once, now. */
  root: string
  /** Whether a missing root is made; default false. */
  create?: boolean
  /** The most one `read` returns; default 10 MiB. */
  maxReadBytes?: number
  /** The most one file may grow to; default 100 MiB. */
  maxWriteBytes?: number
  /** Of new files, less what the umask takes; default 0600. A replaced file keeps its own. */
  fileMode?: number
  /** Of new directories, less what the umask takes; default 0700. */
  dirMode?: number
  /** Default: no quota. */
  ledger?: Ledger
  /** Default: one for this workspace object alone. */
  exclusive?: Exclusive
  /** How directories are held; default `descriptor` where the platform can, else `path`. */
  hold?: Workspace['hold']
  clock?: Clock
}

/**
 * The files of one user. Every path is relative to the root, with `/` between names; what leads
 * out, through a link, or to something other than a plain file or directory is refused with
 * `path_denied`. All verbs throw AppErrors only.
 */
export interface Workspace extends Reads, Writes, Looks, Moves, Removes, AsyncDisposable {
  /**
   * `descriptor`: nobody can lead a verb out by exchanging files or directories while it runs.
   * `path`: a weaker promise, see `checkedDir`.
   */
  readonly hold: 'descriptor' | 'path'
}

const MIB = 1024 * 1024

/**
 * Opens the workspace at `root`. It holds a descriptor until it is disposed of, which waits for
 * running verbs.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const dirMode = options.dirMode ?? 0o700
  const { path, stats } = await findRoot(options.root, options.create ? dirMode : undefined)
  const hold = await chooseHold(options.hold)
  const root: HeldDir = await (hold === 'descriptor' ? openProcDir(path) : openCheckedDir(path))
  const base: Base = {
    root,
    dev: stats.dev,
    maxReadBytes: options.maxReadBytes ?? 10 * MIB,
    maxWriteBytes: options.maxWriteBytes ?? 100 * MIB,
    fileMode: options.fileMode ?? 0o600,
    dirMode,
    ledger: options.ledger ?? freeLedger,
    exclusive: options.exclusive ?? createExclusive(),
    clock: options.clock ?? systemClock,
    gate: createGate('The workspace is closed'),
    tempNames: createTempNames(),
  }
  return {
    hold,
    ...createReads(base),
    ...createWrites(base),
    ...createLooks(base),
    ...createMoves(base),
    ...createRemoves(base),
    async [Symbol.asyncDispose]() {
      await base.gate.shut()
      await root[Symbol.asyncDispose]()
    },
  }
}

async function chooseHold(asked: Workspace['hold'] | undefined): Promise<Workspace['hold']> {
  if (asked === 'path') return 'path'
  if (await canHoldByDescriptor()) return 'descriptor'
  if (asked === undefined) return 'path'
  throw new AppError('config_invalid', 'Directories cannot be held by descriptor on this platform')
}

async function findRoot(
  root: string,
  makeMode: number | undefined,
): Promise<{ path: string; stats: Stats }> {
  if (!isAbsolute(root)) {
    throw new AppError('config_invalid', 'The root of a workspace must be an absolute path')
  }
  try {
    if (makeMode !== undefined) await mkdir(root, { recursive: true, mode: makeMode })
    const path = await realpath(root)
    const stats = await lstat(path)
    if (stats.isDirectory()) return { path, stats }
  } catch (cause) {
    throw new AppError('unavailable', 'The root of the workspace cannot be opened', { cause })
  }
  throw new AppError('unavailable', 'The root of the workspace is not a directory')
}
