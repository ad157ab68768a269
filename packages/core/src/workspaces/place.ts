import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { workspaceDirName } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { WorkspaceOwner } from './contract.ts'

/** What every workspace has. */
export interface Site {
  /** `ada`, or `@acme/ada`: its path under the root, and its name in the KV. */
  key: string
  /** Where its files are used. */
  live: string
  /** Notes of whose output its files may hold: outside of it, where no shell can write. */
  origins: string
}

/**
 * Where the files of one workspace are, or may be. Of these the first that exists is the truth:
 * `live`, `leaving` (being packed), `archive`.
 */
export interface Place extends Site {
  leaving: string
  archive: string
  /** A name for what is not finished yet, on the same file system. */
  temporary(kind: 'new' | 'in' | 'part' | 'gone'): string
}

/** A place that is asked for by its owner. */
export interface OwnedPlace extends Place {
  kind: 'owned'
  owner: WorkspaceOwner
}

/** A folder that was there before us: neither made, moved, marked nor counted. */
export interface GivenPlace extends Site {
  kind: 'given'
}

const archives = '.archives'
/** Beside the archives; no name of a user's folder begins with a dot. */
const notesOfGiven = '.given'

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
  return { ...placeAt(root, key), kind: 'owned', owner }
}

/** What holds all places of a tenant's users. Throws `forbidden` for that of the default one. */
export function foldersOf(root: string, tenant_id: string, defaultTenant: string): string[] {
  if (tenant_id === '' || tenant_id === '*' || tenant_id === defaultTenant) {
    throw new AppError('forbidden', 'The folders of the default tenant are those of all')
  }
  const name = `@${workspaceDirName(tenant_id)}`
  return [join(root, name), join(root, archives, name)]
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

/** The place of a folder that is there already. */
export function givenPlace(root: string, folder: string): GivenPlace {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const key = `${notesOfGiven}/${digest}`
  return { kind: 'given', key, live: folder, origins: join(root, `${key}.origins`) }
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
