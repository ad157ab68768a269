import { posix } from 'node:path'
import type { Workspace } from '@dataagent/guard'
import type { PatternRequest } from '../threads/pattern-thread.ts'
import type { Thread } from '../threads/thread.ts'

export interface FindFiles {
  workspace: Workspace
  thread: Thread
  /** A folder, or one file. */
  path: string
  /** All files where it is left out. */
  pattern?: string | undefined
  signal: AbortSignal
}

export interface FoundFiles {
  /** By path, which is relative to the workspace. */
  files: { path: string; size: number }[]
  truncated: boolean
}

const maxEntries = 20_000

/** Files under a path that fit a pattern. The pattern is tried in the thread, never here. */
export async function findFiles(options: FindFiles): Promise<FoundFiles> {
  const { workspace, thread, path, pattern, signal } = options
  const info = await workspace.stat(path)
  if (info.kind === 'file') return { files: [{ path, size: info.size }], truncated: false }
  const listed = await workspace.list(path, { recursive: true, maxEntries, signal })
  const files = listed.entries.filter(({ kind }) => kind === 'file')
  const fitting = pattern === undefined ? files : await filter(thread, pattern, files)
  return {
    files: fitting.map((file) => ({ path: posix.join(path, file.path), size: file.size })),
    truncated: listed.truncated,
  }
}

async function filter<File extends { path: string }>(
  thread: Thread,
  pattern: string,
  files: readonly File[],
): Promise<File[]> {
  const paths = files.map((file) => file.path)
  const request: PatternRequest = { kind: 'glob', pattern, paths }
  const answer = await thread.ask<{ paths: string[] }>(request)
  const fitting = new Set(answer.paths)
  return files.filter((file) => fitting.has(file.path))
}
