import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import { filePath, reading } from './words.ts'

const shownMax = 500

const input = z.object({
  pattern: z.string().min(1).max(500).describe('Such as **/*.csv or files/{a,b}*.txt'),
  path: filePath.default('.').describe('The folder to search, and that the pattern begins at'),
})

export function createGlob({ files }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'glob',
    title: 'Find files by name',
    description: 'Finds files of the workspace whose path fits a glob pattern.',
    ...reading,
    input,
    async run(args, context) {
      const found = await files.find(context, args)
      const lines = found.files.slice(0, shownMax).map((file) => file.path)
      const rest = found.files.length - lines.length
      if (rest > 0) lines.push(`[and ${rest} more: narrow the pattern]`)
      if (found.truncated) lines.push('[not all files were looked at: give a path]')
      return lines.length > 0 ? lines.join('\n') : '[no file fits]'
    },
  })
}
