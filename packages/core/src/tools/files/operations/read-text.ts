import type { OwnToolContext } from '@dataagent/hub'
import { ownerOf } from '../../owner-of.ts'
import { takeOrigins } from '../file-origins.ts'
import { openText, type TextFile } from '../read-lines.ts'
import type { Encoding } from '../text-of.ts'
import type { FileMeans } from './means.ts'

export interface TextWindow {
  path: string
  /** The first line, from 1. */
  offset: number
  /** How many lines; fewer come where they are long. */
  limit: number
}

export interface TextRead {
  encoding: Encoding
  lines: string[]
  /** The first line that was left out, where there is one. */
  next: number | undefined
  /** Lines that were read, given or not. */
  count: number
}

const givenChars = 64_000

/** Reads lines of a text file. Throws `invalid_request` for one that is no text. */
export async function readText(
  means: FileMeans,
  context: OwnToolContext,
  window: TextWindow,
): Promise<TextRead> {
  const { path } = window
  return await means.workspaces.use(ownerOf(context), async (workspace) => {
    const file = await openText(workspace, path, context.signal)
    const taken = await takeWindow(file, window, context.signal)
    await takeOrigins(means, context, [path])
    means.tracker.read(context, path)
    return { encoding: file.encoding, ...taken }
  })
}

async function takeWindow(
  file: TextFile,
  { offset, limit }: TextWindow,
  signal: AbortSignal,
): Promise<Omit<TextRead, 'encoding'>> {
  const lines: string[] = []
  let count = 0
  let left = givenChars
  for await (const line of file.lines) {
    signal.throwIfAborted()
    count++
    if (count < offset) continue
    left -= line.length + 1
    if (lines.length >= limit || (left < 0 && lines.length > 0))
      return { lines, next: count, count }
    lines.push(line)
  }
  return { lines, next: undefined, count }
}
