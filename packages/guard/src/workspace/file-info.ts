import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Spot } from './base.ts'
import { hasCode, systemError } from './to-app-error.ts'

export interface FileInfo {
  /**
   * `link` is a symbolic link, `other` a device, socket, FIFO or hard link: both are seen but never
   * opened.
   */
  kind: 'file' | 'dir' | 'link' | 'other'
  /** Bytes of a file; 0 for all else. */
  size: number
  mtimeMs: number
}

export function toFileInfo(stats: Stats): FileInfo {
  const kind = toKind(stats)
  return { kind, size: kind === 'file' ? stats.size : 0, mtimeMs: stats.mtimeMs }
}

/** What is at a spot, without following a link; undefined when nothing is. */
export async function lookAt({ dir, name }: Spot): Promise<Stats | undefined> {
  return lstat(dir.at(name)).catch((error) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
}

/** Throws unless these are the stats of a file that the workspace opens. */
export function requireFile(stats: Stats, dev: number): void {
  if (stats.isDirectory()) throw systemError('EISDIR')
  requireUsable(stats, dev)
}

/** Throws unless these are the stats of a file or directory that the workspace opens. */
export function requireUsable(stats: Stats, dev: number): void {
  if (stats.isSymbolicLink()) throw systemError('ELOOP')
  if (stats.dev !== dev) throw systemError('EXDEV')
  if (stats.isDirectory()) return
  if (!stats.isFile()) throw systemError('ENXIO')
  if (stats.nlink > 1) throw systemError('EMLINK')
}

function toKind(stats: Stats): FileInfo['kind'] {
  if (stats.isDirectory()) return 'dir'
  if (stats.isSymbolicLink()) return 'link'
  return stats.isFile() && stats.nlink === 1 ? 'file' : 'other'
}
