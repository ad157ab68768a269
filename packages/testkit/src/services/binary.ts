import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from './debian-package.ts'

/**
 * The path of `binary`: as installed, or after installing `debianPackage` where this is Debian and
 * we are root; else undefined. The path is not resolved: redis-server decides by its own name what
 * it is.
 */
export async function ensureBinary(
  binary: string,
  debianPackage: string,
): Promise<string | undefined> {
  const found = findBinary(binary)
  if (found !== undefined) return found
  if (!(await installDebianPackage(debianPackage))) return undefined
  return findBinary(binary)
}

/** The path of an installed `binary`, looked for on PATH and where servers hide from it. */
function findBinary(binary: string): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...path, '/usr/local/sbin', '/usr/sbin', '/sbin', ...postgresFolders()]
    .map((folder) => join(folder, binary))
    .find(isExecutable)
}

/** Debian keeps PostgreSQL's servers off PATH, one folder a version; the newest comes first. */
function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql'
  return listFolder(root)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
