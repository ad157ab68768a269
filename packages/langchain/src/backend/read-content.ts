import type { FileOperations } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { FileData, ReadResult } from 'deepagents'
import { mediaTypeOf, textTypeOf, unknownType } from './mime-type.ts'

interface Window {
  path: string
  /** Lines to leave out first. */
  offset: number
  /** How many lines; fewer come where they are long. */
  limit: number
}

/** Lines of a text, or all of a picture or the like. Throws as `readText` does. */
export async function readContent(
  files: FileOperations,
  context: OwnToolContext,
  { path, ...asked }: Window,
): Promise<ReadResult> {
  const media = mediaTypeOf(path)
  if (media !== undefined) {
    const { bytes } = await files.readWhole(context, path)
    return { content: new Uint8Array(bytes), mimeType: media }
  }
  const [skipped, limit] = [toCount(asked.offset), toCount(asked.limit)]
  const window = { path, offset: skipped + 1, limit }
  const { lines, next, count } = await files.readText(context, window)
  const whole = { content: lines.join('\n'), mimeType: textTypeOf(path) }
  if (lines.length > 0) {
    const range = { startLine: skipped + 1, endLine: skipped + lines.length }
    const rest = next === undefined ? { totalLines: count } : { nextOffset: next - 1 }
    return { ...whole, ...range, ...rest }
  }
  if (next !== undefined || count === 0) return whole
  throw new AppError('invalid_request', `The file has only ${count} lines. Use a smaller offset`)
}

/** A file whole, as text where it is one. */
export async function readData(
  files: FileOperations,
  context: OwnToolContext,
  path: string,
): Promise<FileData> {
  const { bytes, text, mtimeMs } = await files.readWhole(context, path)
  const modified_at = new Date(mtimeMs).toISOString()
  // When it was made is not known.
  const times = { created_at: modified_at, modified_at }
  const media = mediaTypeOf(path)
  if (media === undefined && text !== undefined)
    return { content: text, mimeType: textTypeOf(path), ...times }
  return { content: new Uint8Array(bytes), mimeType: media ?? unknownType, ...times }
}

function toCount(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
