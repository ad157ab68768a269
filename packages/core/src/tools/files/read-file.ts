import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import type { TextRead } from './operations/read-text.ts'
import { filePath, reading } from './words.ts'

const input = z.object({
  path: filePath,
  offset: z.int().min(1).default(1).describe('The first line to read, from 1'),
  limit: z.int().min(1).max(10_000).default(2_000).describe('How many lines'),
  numbered: z.boolean().default(false).describe('Whether each line begins with its number'),
})

export function createReadFile({ files }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'read_file',
    title: 'Read a file',
    description: 'Reads a text file of the workspace, whole or some of its lines.',
    ...reading,
    input,
    run: async (args, context) => toAnswer(await files.readText(context, args), args),
  })
}

function toAnswer(
  { encoding, lines, next, count }: TextRead,
  { offset, numbered }: z.output<typeof input>,
): string {
  const shown = numbered
    ? lines.map((line, at) => `${String(offset + at).padStart(6)}\t${line}`)
    : lines
  const notes = [
    encoding === 'utf-8' ? '' : `read as ${encoding}`,
    next === undefined ? '' : `there is more: go on with offset ${next}`,
    count === 0 ? 'the file is empty' : '',
    count > 0 && shown.length === 0 ? `the file has only ${count} lines` : '',
  ].filter((note) => note !== '')
  return [...shown, ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : [])].join('\n')
}
