import { systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import type { QueryResult } from '@dataagent/schema'
import { z } from 'zod'
import { writeExport } from '../exports/index.ts'
import { toBlockEvent } from './block-event.ts'
import type { DataToolMeans } from './contract.ts'

const fileName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,79}$/u

export function createExportRows({ queries, files, clock = systemClock }: DataToolMeans): OwnTool {
  return defineTool({
    name: 'export',
    title: 'Export',
    description:
      "Saves the rows of a query that was run as a new file in the user's outputs folder, and " +
      'tells where. Nothing is written over: a name that is taken is refused.',
    category: 'data',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    input: z.object({
      query: z.string().min(1).max(128).describe('The number of the query, like q1'),
      format: z.enum(['csv', 'xlsx', 'parquet']).default('csv'),
      name: z
        .string()
        .regex(fileName, 'letters, digits, spaces and . _ -, beginning with a letter or digit')
        .optional()
        .describe('The name of the file'),
    }),
    timeoutMs: 300_000,
    async run({ query: asked, format, name }, context) {
      const { principal, session_id, signal, emit, tool_call_id } = context
      const ask = { principal, session_id, signal }
      const query = await queries.get(ask, asked)
      const path = `outputs/${toFileName(name, query)}.${format}`
      const content = writeExport(format, {
        columns: query.columns,
        batches: queries.stream(ask, query.query_id),
        signal,
      })
      const { bytes } = await files.write(principal, path, content, signal)
      const { query_id, ref, kept_rows: rows } = query
      emit?.(
        toBlockEvent(clock, tool_call_id, {
          ...{ kind: 'export', query_id, ref, format, path, rows, bytes },
        }),
      )
      const isCut = query.row_count !== rows
      const cut = isCut ? ` These are the first ${rows}; the result has more.` : ''
      return `Saved ${rows === 1 ? '1 row' : `${rows} rows`} of ${ref} as ${path} (${bytes} bytes).${cut}`
    },
  })
}

/** An ending that the name has already is not repeated. */
function toFileName(name: string | undefined, { ref, query_id }: QueryResult): string {
  const bare = name?.replace(/\.(?:csv|xlsx|parquet)$/i, '').trim()
  return bare ? bare : `${ref}-${query_id.slice(0, 8)}`
}
