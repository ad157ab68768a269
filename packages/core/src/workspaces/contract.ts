import type { Clock, Workspace } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'

/** Whose workspace; from the credential, never from what a request says. */
export interface WorkspaceOwner {
  tenant_id: string
  user_id: string
}

export interface WorkspaceUsage {
  /** `none`: not made yet. Of an archived one the bytes are those of the archive. */
  status: 'active' | 'archived' | 'none'
  bytes: number
  files: number
  dirs: number
  quota_bytes: number
  left_bytes: number
}

export interface WorkspaceSweep {
  /** How long a workspace was not used before it is archived. Default 30 days. */
  idleMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface SweepReport {
  archived: number
  /** Workspaces that a dead process had left half moved and that are whole again. */
  recovered: number
  /** Idle ones that stay as they are, and why. */
  kept: { workspace: string; reason: string }[]
}

/**
 * The workspaces of all users, each a folder of its own [D32, D33]. All verbs throw AppErrors only:
 * those of guard's workspace, `quota_exceeded`, `store_unavailable`, `unavailable`.
 */
export interface Workspaces extends AsyncDisposable {
  /**
   * Runs `work` on the owner's workspace, which is made at its first use and brought back where it
   * was archived. `folder` is its absolute path, for a sandbox. It stays open, and is shared, while
   * anyone uses it; it is not archived meanwhile.
   */
  use<T>(
    owner: WorkspaceOwner,
    work: (workspace: Workspace, folder: string) => Promise<T>,
  ): Promise<T>
  /**
   * As `use`, for what reads and writes files by itself (a shell). What any of them may hold is
   * added to `untrusted` first; what is changed then counts as holding what `untrusted` has. The
   * bytes are counted anew.
   */
  useFolder<T>(
    owner: WorkspaceOwner,
    untrusted: Set<string>,
    work: (folder: string) => Promise<T>,
  ): Promise<T>
  /**
   * Notes that a file may hold what these servers gave, which nobody vouches for; call it before
   * the file is written. The note is durable, stays with the path whatever becomes of the file, and
   * is out of reach of file tools and sandboxes.
   */
  noteOrigins(owner: WorkspaceOwner, path: string, server_ids: ReadonlySet<string>): Promise<void>
  /** The servers whose output any of these files may hold, as noted. */
  originsOf(owner: WorkspaceOwner, paths: readonly string[]): Promise<Set<string>>
  usage(owner: WorkspaceOwner): Promise<WorkspaceUsage>
  /** Counts anew, after something other than the workspace's verbs has written (a shell). */
  recount(owner: WorkspaceOwner): Promise<void>
  /** Archives idle workspaces, and finishes or undoes what dead processes left half done. */
  sweep(options?: WorkspaceSweep): Promise<SweepReport>
}

/** What is about to be done when a workspace changes its place. */
export type MoveStep =
  | 'move_aside'
  | 'pack'
  | 'place_archive'
  | 'drop_files'
  | 'unpack'
  | 'place_files'
  | 'drop_archive'

export interface WorkspacesOptions {
  /** Absolute; made where it is missing. */
  root: string
  /** Shared by all processes that share `root`. Without it only one process may use `root`. */
  kv?: Pick<Kv, 'add' | 'acquireLease'> | undefined
  /** Bytes that a user may have; undefined: 1 GiB. */
  quotaOf?(tenant_id: string, user_id: string): number | undefined | Promise<number | undefined>
  /** Its users' folders are `{root}/{user}`, those of others `{root}/@{tenant}/{user}`. */
  defaultTenant?: string | undefined
  clock?: Clock | undefined
  /** How many that nobody uses are kept open. Default 256. */
  maxIdleOpen?: number | undefined
  /** How long one that nobody uses is kept open. Default one minute. */
  closeAfterMs?: number | undefined
  /** The most one file may grow to; guard's default. */
  maxWriteBytes?: number | undefined
  /** Told before each step of a move; what it throws ends the move there. */
  onStep?: ((step: MoveStep, workspace: string) => void | Promise<void>) | undefined
}
