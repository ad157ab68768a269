import { posix } from 'node:path'
import type { Workspace } from '@dataagent/guard'
import type { OwnToolContext } from '@dataagent/hub'
import { ownerOf } from '../../owner-of.ts'
import type { PatternRequest } from '../../threads/pattern-thread.ts'
import type { Thread } from '../../threads/thread.ts'
import type { FileMeans } from './means.ts'

export interface FindFiles {
  /** A folder, or one file. */
  path: string
  /** All files where it is left out. */
  pattern?: string | undefined
}

export interface FoundFile {
  /** Relative to the workspace. */
  path: string
  size: number
  mtimeMs: number
}

export interface FoundFiles {
  /** By path. */
  files: FoundFile[]
  /** Not all files were looked at. */
  truncated: boolean
}

/** What a search works with. */
export interface Searching {
  workspace: Workspace
  thread: Thread
  signal: AbortSignal
}

const maxEntries = 20_000

/** Files under a path that fit a pattern. */
export function findFiles(
  means: FileMeans,
  context: OwnToolContext,
  asked: FindFiles,
): Promise<FoundFiles> {
  return searching(means, context, (search) => findIn(search, asked))
}

/** Runs `work` in its turn, with a thread that ends with it. */
export function searching<T>(
  { workspaces, places, startPatternThread }: FileMeans,
  context: OwnToolContext,
  work: (search: Searching) => Promise<T>,
): Promise<T> {
  const { signal } = context
  return places.within(signal, () =>
    workspaces.use(ownerOf(context), async (workspace) => {
      await using thread = startPatternThread(signal)
      return await work({ workspace, thread, signal })
    }),
  )
}

/** The pattern is tried in the thread, never here. */
export async function findIn(
  { workspace, thread, signal }: Searching,
  { path, pattern }: FindFiles,
): Promise<FoundFiles> {
  const { kind, size, mtimeMs } = await workspace.stat(path)
  if (kind === 'file') return { files: [{ path, size, mtimeMs }], truncated: false }
  const listed = await workspace.list(path, { recursive: true, maxEntries, signal })
  const files = listed.entries.filter((entry) => entry.kind === 'file')
  const fitting = pattern === undefined ? files : await filter(thread, pattern, files)
  return {
    files: fitting.map((file) => ({ ...file, path: posix.join(path, file.path) })),
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
