import { defineTool, type OwnTool, type OwnToolContext } from '@dataagent/hub'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import { takeOrigins } from './file-origins.ts'
import type { FileMeans } from './file-tools.ts'
import { openText, type TextFile } from './read-lines.ts'
import { filePath, reading } from './words.ts'

const shownChars = 64_000

const input = z.object({
  path: filePath,
  offset: z.int().min(1).default(1).describe('The first line to read, from 1'),
  limit: z.int().min(1).max(10_000).default(2_000).describe('How many lines'),
  numbered: z.boolean().default(false).describe('Whether each line begins with its number'),
})

export function createReadFile(means: FileMeans): OwnTool {
  const { workspaces, tracker } = means
  return defineTool({
    name: 'read_file',
    title: 'Read a file',
    description: 'Reads a text file of the workspace, whole or some of its lines.',
    ...reading,
    input,
    run: (args, context) =>
      workspaces.use(ownerOf(context), async (workspace) => {
        const file = await openText(workspace, args.path, context.signal)
        const text = await toAnswer(file, args, context)
        await takeOrigins(means, context, [args.path])
        tracker.read(context, args.path)
        return text
      }),
  })
}

async function toAnswer(
  file: TextFile,
  args: z.output<typeof input>,
  { signal }: OwnToolContext,
): Promise<string> {
  const { shown, next, count } = await takeWindow(file, args, signal)
  const notes = [
    file.encoding === 'utf-8' ? '' : `read as ${file.encoding}`,
    next === undefined ? '' : `there is more: go on with offset ${next}`,
    count === 0 ? 'the file is empty' : '',
    count > 0 && shown.length === 0 ? `the file has only ${count} lines` : '',
  ].filter((note) => note !== '')
  return [...shown, ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : [])].join('\n')
}

interface Window {
  shown: string[]
  /** The first line that was left out, where there is one. */
  next: number | undefined
  /** Lines that were read, shown or not. */
  count: number
}

async function takeWindow(
  { lines }: TextFile,
  { offset, limit, numbered }: z.output<typeof input>,
  signal: AbortSignal,
): Promise<Window> {
  const shown: string[] = []
  let count = 0
  let left = shownChars
  for await (const line of lines) {
    signal.throwIfAborted()
    count++
    if (count < offset) continue
    left -= line.length + 1
    if (shown.length >= limit || (left < 0 && shown.length > 0))
      return { shown, next: count, count }
    shown.push(numbered ? `${String(count).padStart(6)}\t${line}` : line)
  }
  return { shown, next: undefined, count }
}
