import { defineTool, type OwnTool } from '@dataagent/hub'
import type { DataSource } from '@dataagent/schema'
import { z } from 'zod'
import type { DataToolMeans } from './contract.ts'
import { reads } from './reads.ts'

export function createListSources({ sources }: DataToolMeans): OwnTool {
  return defineTool({
    name: 'list_sources',
    title: 'Data sources',
    description: 'Lists the sources of data that can be asked with run_sql, and what each holds.',
    ...reads,
    input: z.object({}),
    async run(_, { principal }) {
      const all = (await sources.list(principal)).filter(({ enabled }) => enabled)
      const text = all.map(toLine).join('\n')
      return {
        content: [{ type: 'text' as const, text: text === '' ? 'There is no source yet.' : text }],
        structuredContent: { sources: all },
      }
    },
  })
}

function toLine({ name, kind, description, status, status_text }: DataSource): string {
  const why = status_text === undefined ? '' : `: ${status_text}`
  const failing = status === 'failing' ? ` (does not answer${why})` : ''
  return `${name} (${kind})${failing}: ${description}`
}
