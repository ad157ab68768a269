import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { FileToolMeans } from './file-tools.ts'
import { filePath, reading } from './words.ts'

const maxEntries = 500

const input = z.object({
  path: filePath.default('.'),
  recursive: z.boolean().default(false).describe('Also what is in its folders'),
})

export function createListFiles({ files }: FileToolMeans): OwnTool {
  return defineTool({
    name: 'list',
    title: 'List files',
    description:
      'Lists a folder of the workspace with the sizes of files. Where the workspace has them, ' +
      'uploads/ is what the user uploaded and outputs/ is for results; files/ is for all else.',
    ...reading,
    input,
    async run(args, context) {
      const { entries, truncated } = await files.list(context, { ...args, maxEntries })
      const lines = entries.map(({ kind, path: name, size }) => {
        if (kind === 'dir') return `${name}/`
        return kind === 'file' ? `${name} (${size} bytes)` : `${name} (a link, not followed)`
      })
      if (truncated) lines.push(`[more than ${maxEntries}: list a folder of it, or use glob]`)
      return lines.length > 0 ? lines.join('\n') : '[the folder is empty]'
    },
  })
}
