import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** All that is under a folder: path, kind, mode, whole seconds of its time, content or target. */
export async function readTree(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return await Promise.all(names.sort().map((name) => describe(folder, name)))
}

async function describe(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const stats = await lstat(path)
  const about = `${name} ${(stats.mode & 0o777).toString(8)} ${Math.floor(stats.mtimeMs / 1000)}`
  if (stats.isSymbolicLink()) return `${name} -> ${await readlink(path)}`
  return stats.isDirectory() ? `${about} dir` : `${about} ${await readFile(path, 'hex')}`
}
