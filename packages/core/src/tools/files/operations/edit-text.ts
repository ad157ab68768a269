import type { OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { ownerOf } from '../../owner-of.ts'
import type { FileDiff } from '../diff-of.ts'
import { toState } from '../file-op-tracker.ts'
import { noteOrigins, takeOrigins } from '../file-origins.ts'
import { type Replacement, replaceText } from '../replace-text.ts'
import { binaryError, encodingOf, toUtf8 } from '../text-of.ts'
import type { FileMeans } from './means.ts'

export interface FileEdit extends Replacement {
  path: string
}

export interface FileEdited extends FileDiff {
  /** Passages that were replaced. */
  count: number
}

/** Replaces a passage of a text file: see `replaceText`. */
export async function editText(
  means: FileMeans,
  context: OwnToolContext,
  { path, ...replacement }: FileEdit,
): Promise<FileEdited> {
  return await means.workspaces.use(ownerOf(context), async (workspace) => {
    await noteOrigins(means, context, path)
    let [before, after, count] = ['', '', 0]
    await workspace
      .edit(path, (content) => {
        before = toText(content, path)
        const replaced = replaceText(before, replacement)
        after = replaced.text
        count = replaced.count
        return after
      })
      // What goes wrong is told with words of the file.
      .finally(() => takeOrigins(means, context, [path]))
    const diff = means.tracker.changed(context, {
      ...{ operation: 'edit', path },
      before: toState(Buffer.from(before)),
      after: toState(Buffer.from(after)),
    })
    return { count, ...diff }
  })
}

function toText(content: Buffer, path: string): string {
  const text = toUtf8(content)
  if (text !== undefined) return text
  const encoding = encodingOf(content)
  if (encoding === undefined) throw binaryError(path)
  throw new AppError(
    'invalid_request',
    `The file is not UTF-8 (it seems to be ${encoding}), so it is not edited in place. ` +
      'Read it with read_file and write it anew with write_file',
  )
}
