import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { ownerOf } from '../owner-of.ts'
import type { FileMeans } from './file-tools.ts'
import { filePath, reading } from './words.ts'

const maxEntries = 500

const input = z.object({
  path: filePath.default('.'),
  recursive: z.boolean().default(false).describe('Also what is in its folders'),
})

export function createListFiles({ workspaces }: FileMeans): OwnTool {
  return defineTool({
    name: 'list',
    title: 'List files',
    description:
      'Lists a folder of the workspace with the sizes of files. The workspace has files/, ' +
      'uploads/ (what the user uploaded) and outputs/ (results for the user).',
    ...reading,
    input,
    run: ({ path, recursive }, context) =>
      workspaces.use(ownerOf(context), async (workspace) => {
        const { signal } = context
        const { entries, truncated } = await workspace.list(path, { recursive, maxEntries, signal })
        const lines = entries.map(({ kind, path: name, size }) => {
          if (kind === 'dir') return `${name}/`
          return kind === 'file' ? `${name} (${size} bytes)` : `${name} (a link, not followed)`
        })
        if (truncated) lines.push(`[more than ${maxEntries}: list a folder of it, or use glob]`)
        return lines.length > 0 ? lines.join('\n') : '[the folder is empty]'
      }),
  })
}
