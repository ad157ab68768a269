import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import type { FoundMatches } from './operations/search-files.ts'
import { filePath, reading } from './words.ts'

const input = z.object({
  pattern: z.string().min(1).max(1_000).describe('Text, or a regular expression with regex'),
  path: filePath.default('.').describe('The folder or file to search'),
  glob: z.string().min(1).max(500).optional().describe('Only files whose path fits, as **/*.md'),
  regex: z.boolean().default(false),
  ignore_case: z.boolean().default(false),
  max_matches: z.int().min(1).max(1_000).default(100),
})

export function createGrep({ files }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'grep',
    title: 'Search in files',
    description: 'Finds lines in text files of the workspace; gives path:line: text.',
    ...reading,
    input,
    run: async (args, context) => toAnswer(await files.search(context, args)),
  })
}

function toAnswer({ matches, searched, large, isCut }: FoundMatches): string {
  const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`)
  const notes = [
    lines.length === 0 ? `no match in ${searched} files` : '',
    isCut ? 'there may be more: narrow the search by path, glob or pattern' : '',
    large.length > 0 ? `not searched, too large: ${large.slice(0, 5).join(', ')}` : '',
  ].filter((note) => note !== '')
  return [...lines, ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : [])].join('\n')
}
