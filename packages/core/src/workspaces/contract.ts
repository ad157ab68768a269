import type { Clock, Workspace } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'

/** Whose workspace; from the credential, never from what a request says. */
export interface WorkspaceOwner {
  tenant_id: string
  user_id: string
}

export interface WorkspaceUsage {
  /**
   * `none`: not made yet. Of an archived one the bytes are those of the archive; of a folder that
   * was given they are those of its disk, and files are not counted.
   */
  status: 'active' | 'archived' | 'none'
  bytes: number
  files: number
  dirs: number
  quota_bytes: number
  left_bytes: number
}

/** What is known of a workspace from outside. */
export type WorkspaceGlance = { quota_bytes: number } & (SeenWorkspace | UnreadWorkspace)

interface SeenWorkspace {
  status: WorkspaceUsage['status']
  bytes: number
  /** When it was last used; of an archived one when it was archived. Null where there is none. */
  used_at: number | null
}

/** It could not be read, not wholly, or was moved meanwhile. */
interface UnreadWorkspace {
  status: 'unknown'
  bytes: null
  used_at: null
  cause: unknown
}

/** What bounds a work that writes files by itself. */
export interface FolderBounds {
  /** Aborts when the workspace has grown too large; the reason is an AppError that says so. */
  signal: AbortSignal
  /** The most that one file may have. */
  maxFileBytes: number
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
   * bytes are counted meanwhile, and anew at the end: `work` keeps to its bounds. Not begun, with
   * `quota_exceeded` or `storage_full`, where there is too much already. A folder that was given
   * has no bounds.
   */
  useFolder<T>(
    owner: WorkspaceOwner,
    untrusted: Set<string>,
    work: (folder: string, bounds?: FolderBounds) => Promise<T>,
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
  /**
   * As `usage`, for others than its owner: to look is no use of it, and brings nothing back. What
   * is wrong with its folder is told, not thrown.
   */
  glance(owner: WorkspaceOwner, options?: { signal?: AbortSignal }): Promise<WorkspaceGlance>
  /** Counts anew, after something other than the workspace's verbs has written (a shell). */
  recount(owner: WorkspaceOwner): Promise<void>
  /** Where all files of a tenant other than the default one are, archives too; absolute. */
  foldersOf(tenant_id: string): string[]
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
  /**
   * A folder that is there already, absolute, in the place of the owner's workspace. It is used as
   * it is: nothing is made in it but what is asked for, and it is neither counted nor archived.
   */
  folderOf?: ((owner: WorkspaceOwner) => string | undefined) | undefined
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
  /** Files, folders and links that a shell may leave in a workspace. Default 100,000. */
  maxFiles?: number | undefined
  /** What shells leave free of the disk. Default 512 MiB, or 5 % of a small one. */
  reserveBytes?: number | undefined
  /** How often a workspace is measured in which a shell is at work. Default one second. */
  measureEveryMs?: number | undefined
  /** Told before each step of a move; what it throws ends the move there. */
  onStep?: ((step: MoveStep, workspace: string) => void | Promise<void>) | undefined
}
