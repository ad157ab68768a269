import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { workspaceDirName } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { WorkspaceOwner } from './contract.ts'

/**
 * Where the files of one workspace are, or may be. Of these the first that exists is the truth:
 * `live`, `leaving` (being packed), `archive`.
 */
export interface Place {
  /** `ada`, or `@acme/ada`: its path under the root, and its name in the KV. */
  key: string
  live: string
  leaving: string
  archive: string
  /** Notes of whose output its files may hold: outside of it, where no shell can write. */
  origins: string
  /** A name for what is not finished yet, on the same file system. */
  temporary(kind: 'new' | 'in' | 'part' | 'gone'): string
}

/** A place that is asked for by its owner. */
export interface OwnedPlace extends Place {
  owner: WorkspaceOwner
}

const archives = '.archives'

/**
 * The place of an owner's workspace. Names made of ids never begin with `@` or `.` and hold no dot,
 * so that no tenant's folder is one of a user, and no archive's name that of another.
 */
export function placeOf(root: string, owner: WorkspaceOwner, defaultTenant: string): OwnedPlace {
  const { tenant_id, user_id } = owner
  if (tenant_id === '' || user_id === '' || tenant_id === '*' || user_id === '*') {
    throw new AppError('forbidden', 'A workspace belongs to one user of one tenant')
  }
  const user = workspaceDirName(user_id)
  const isDefault = tenant_id === defaultTenant
  const key = isDefault ? user : `@${workspaceDirName(tenant_id)}/${user}`
  return { ...placeAt(root, key), owner }
}

export function placeAt(root: string, key: string): Place {
  const beside = join(root, archives, key)
  return {
    key,
    live: join(root, key),
    leaving: `${beside}.leaving`,
    archive: `${beside}.tar.gz`,
    origins: `${beside}.origins`,
    temporary: (kind) => `${beside}.${kind}-${randomBytes(8).toString('hex')}`,
  }
}

/** Whether a folder may be that of a workspace; others (`lost+found`) are none of ours. */
export function isKey(path: string): boolean {
  return /^(@[a-z0-9_~-]+\/)?[a-z0-9_~-]+$/.test(path)
}

/** Whether a name in the folder of archives is that of a move that has not ended. */
export function isUnfinished(name: string): boolean {
  return /^[^.]+\.(new|in|part|gone)-[0-9a-f]{16}$/.test(name)
}

/** Where archives are: the folder of it, and those of tenants in it. */
export function archivesOf(root: string): string {
  return join(root, archives)
}
