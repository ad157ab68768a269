import type { OwnToolContext } from '@dataagent/hub'
import type { PatternAnswer, PatternRequest } from '../../threads/pattern-thread.ts'
import { takeOrigins } from '../file-origins.ts'
import { findIn, type Searching, searching } from './find-files.ts'
import type { FileMeans } from './means.ts'

export interface FileSearch {
  /** Text, or a regular expression. */
  pattern: string
  /** The folder or file to search. */
  path: string
  /** Only files whose path fits. */
  glob?: string | undefined
  regex: boolean
  ignore_case: boolean
  max_matches: number
}

export interface FileMatch {
  path: string
  line: number
  /** The line; of a long one what is around the match. */
  text: string
}

export interface FoundMatches {
  matches: FileMatch[]
  searched: number
  /** Files that are too large to be searched. */
  large: string[]
  /** There may be more. */
  isCut: boolean
}

const fileBytes = 4 * 1024 * 1024
const allBytes = 256 * 1024 * 1024

/** Finds lines in text files. */
export function searchFiles(
  means: FileMeans,
  context: OwnToolContext,
  asked: FileSearch,
): Promise<FoundMatches> {
  return searching(means, context, async (search) => {
    const { pattern, regex: isRegex, ignore_case: ignoreCase } = asked
    const request: PatternRequest = { kind: 'pattern', pattern, isRegex, ignoreCase }
    await search.thread.ask(request)
    const found = await searchAll(search, asked)
    await takeOrigins(means, context, [...new Set(found.matches.map(({ path }) => path))])
    return found
  })
}

async function searchAll(search: Searching, asked: FileSearch): Promise<FoundMatches> {
  const { path, glob: pattern, max_matches } = asked
  const { files, truncated } = await findIn(search, { path, pattern })
  const found: FoundMatches = { matches: [], searched: 0, large: [], isCut: truncated }
  let left = allBytes
  for (const file of files) {
    if (file.size > fileBytes) {
      found.large.push(file.path)
      continue
    }
    left -= file.size
    if (left < 0 || found.matches.length >= max_matches) {
      found.isCut = true
      break
    }
    await searchFile(search, { path: file.path, max_matches, found })
  }
  const matches = found.matches.slice(0, max_matches)
  return { ...found, matches, isCut: found.isCut || matches.length < found.matches.length }
}

interface SearchFile extends Pick<FileSearch, 'max_matches'> {
  path: string
  found: FoundMatches
}

/** Looks for one match more than wanted, which shows that there are more. */
async function searchFile(
  { workspace, thread }: Searching,
  { path, max_matches, found }: SearchFile,
): Promise<void> {
  const read = await workspace.read(path, { maxBytes: fileBytes }).catch(() => undefined)
  if (read === undefined) return
  const most = max_matches + 1 - found.matches.length
  const request: PatternRequest = { kind: 'search', bytes: new Uint8Array(read.bytes), most }
  const answer = await thread.ask<Exclude<PatternAnswer, { failure: string }>>(request)
  found.searched++
  if (answer.kind === 'found')
    found.matches.push(...answer.lines.map((line) => ({ path, ...line })))
}
