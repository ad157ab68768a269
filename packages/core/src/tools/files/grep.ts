import type { Workspace } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import type { PatternAnswer, PatternRequest } from '../threads/pattern-thread.ts'
import type { Thread } from '../threads/thread.ts'
import { takeOrigins } from './file-origins.ts'
import type { FileMeans } from './file-tools.ts'
import { findFiles } from './find-files.ts'
import { filePath, reading } from './words.ts'

const fileBytes = 4 * 1024 * 1024
const allBytes = 256 * 1024 * 1024

const input = z.object({
  pattern: z.string().min(1).max(1_000).describe('Text, or a regular expression with regex'),
  path: filePath.default('.').describe('The folder or file to search'),
  glob: z.string().min(1).max(500).optional().describe('Only files whose path fits, as **/*.md'),
  regex: z.boolean().default(false),
  ignore_case: z.boolean().default(false),
  max_matches: z.int().min(1).max(1_000).default(100),
})
type Asked = z.output<typeof input>

export function createGrep(means: FileMeans): OwnTool {
  return defineTool({
    name: 'grep',
    title: 'Search in files',
    description: 'Finds lines in text files of the workspace; gives path:line: text.',
    ...reading,
    input,
    run: (args, context) =>
      means.places.within(context.signal, () =>
        means.workspaces.use(ownerOf(context), async (workspace) => {
          await using thread = means.startPatternThread(context.signal)
          const { pattern, regex: isRegex, ignore_case: ignoreCase } = args
          await thread.ask({
            kind: 'pattern',
            pattern,
            isRegex,
            ignoreCase,
          } satisfies PatternRequest)
          const found = await search({ workspace, thread, args, signal: context.signal })
          await takeOrigins(means, context, found.paths)
          return toAnswer(found)
        }),
      ),
  })
}

interface Search {
  workspace: Workspace
  thread: Thread
  args: Asked
  signal: AbortSignal
}

interface Found {
  lines: string[]
  /** Of the files that the lines are of. */
  paths: string[]
  searched: number
  /** Files that are too large to be searched. */
  large: string[]
  isCut: boolean
}

async function search({ workspace, thread, args, signal }: Search): Promise<Found> {
  const { path, glob: pattern, max_matches } = args
  const { files, truncated } = await findFiles({ workspace, thread, path, pattern, signal })
  const found: Found = { lines: [], paths: [], searched: 0, large: [], isCut: truncated }
  let left = allBytes
  for (const file of files) {
    if (file.size > fileBytes) {
      found.large.push(file.path)
      continue
    }
    left -= file.size
    const most = max_matches - found.lines.length
    if (most > 0 && left >= 0) {
      await searchFile({ workspace, thread, path: file.path, most, found })
      continue
    }
    found.isCut = true
    break
  }
  return found
}

interface SearchFile extends Pick<Search, 'workspace' | 'thread'> {
  path: string
  most: number
  found: Found
}

async function searchFile({ workspace, thread, path, most, found }: SearchFile): Promise<void> {
  const read = await workspace.read(path, { maxBytes: fileBytes }).catch(() => undefined)
  if (read === undefined) return
  const request: PatternRequest = { kind: 'search', bytes: new Uint8Array(read.bytes), most }
  const answer = await thread.ask<Exclude<PatternAnswer, { failure: string }>>(request)
  found.searched++
  if (answer.kind !== 'found' || answer.lines.length === 0) return
  found.paths.push(path)
  for (const { line, text } of answer.lines) found.lines.push(`${path}:${line}: ${text}`)
}

function toAnswer({ lines, searched, large, isCut }: Found): string {
  const notes = [
    lines.length === 0 ? `no match in ${searched} files` : '',
    isCut ? 'there may be more: narrow the search by path, glob or pattern' : '',
    large.length > 0 ? `not searched, too large: ${large.slice(0, 5).join(', ')}` : '',
  ].filter((note) => note !== '')
  return [...lines, ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : [])].join('\n')
}
