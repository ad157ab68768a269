import { posix } from 'node:path'
import type { FileOperations } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { BackendProtocolV2, FileInfo } from 'deepagents'
import { attempt, type Failure, toFailure } from './attempt.ts'
import { readContent, readData } from './read-content.ts'
import { toPath, toVirtual } from './virtual-path.ts'

type FileMethods = Required<Omit<BackendProtocolV2, 'uploadFiles' | 'downloadFiles'>>

/** More are not shown: the tool that lists them says so itself, long before. */
const listedMax = 10_000
const linesDefault = 500
const matchesDefault = 1_000
const matchesMax = 10_000

/** The methods that tools call, one file or search each. */
export function createFileMethods(
  files: FileOperations,
  contextOf: () => OwnToolContext,
): FileMethods {
  async function within<Result>(
    work: (context: OwnToolContext) => Promise<Result>,
  ): Promise<Result | Failure> {
    const context = contextOf()
    return await attempt(context, () => work(context), toFailure)
  }

  return {
    ls: (folder) =>
      within(async (context) => {
        const bounds = { recursive: false, maxEntries: listedMax }
        const path = toPath(folder)
        const { entries } = await files.list(context, { path, ...bounds })
        return {
          files: entries.map(({ kind, ...entry }) =>
            toInfo({ ...entry, path: posix.join(path, entry.path) }, kind === 'dir'),
          ),
        }
      }),

    read: (filePath, offset = 0, limit = linesDefault) =>
      within((context) => readContent(files, context, { path: toPath(filePath), offset, limit })),

    readRaw: (filePath) =>
      within(async (context) => ({ data: await readData(files, context, toPath(filePath)) })),

    write: (filePath, content) =>
      within(async (context) => {
        await files.write(context, { path: toPath(filePath), content })
        return { path: filePath }
      }),

    edit: (filePath, old_string, new_string, replace_all = false) =>
      within(async (context) => {
        const replacement = { old_string, new_string, replace_all }
        const { count } = await files.edit(context, { path: toPath(filePath), ...replacement })
        return { path: filePath, occurrences: count }
      }),

    delete: (filePath) =>
      within(async (context) => {
        await files.remove(context, { path: toPath(filePath), recursive: true })
        return { path: filePath }
      }),

    glob: (pattern, folder = '/') =>
      within(async (context) => {
        const asked = { path: toPath(folder), pattern: toPath(pattern) }
        const found = await files.find(context, asked)
        return { files: found.files.map((file) => toInfo(file)), truncated: found.truncated }
      }),

    grep: (pattern, path, glob, maxCount) =>
      within(async (context) => {
        if (pattern === '') throw new AppError('invalid_request', 'Give the text to search for')
        const found = await files.search(context, {
          ...{ pattern, path: toPath(path || '/'), glob: glob ? toAnyDepth(glob) : undefined },
          ...{ regex: false, ignore_case: false },
          max_matches: toWhole(maxCount ?? matchesDefault, { min: 1, max: matchesMax }),
        })
        return {
          matches: found.matches.map((match) => ({ ...match, path: toVirtual(match.path) })),
          truncated: found.isCut || found.large.length > 0,
        }
      }),
  }
}

function toInfo(
  { path, size, mtimeMs }: { path: string; size: number; mtimeMs: number },
  is_dir = false,
): FileInfo {
  const modified_at = new Date(mtimeMs).toISOString()
  return { path: toVirtual(is_dir ? `${path}/` : path), is_dir, size, modified_at }
}

/** A pattern of a name alone fits it in every folder. */
function toAnyDepth(glob: string): string {
  return glob.includes('/') ? toPath(glob) : `**/${glob}`
}

function toWhole(value: number, { min, max }: { min: number; max: number }): number {
  return Number.isNaN(value) ? max : Math.floor(Math.min(Math.max(value, min), max))
}
