import { systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError, chartSpecSchema } from '@dataagent/schema'
import { z } from 'zod'
import { checkChart } from '../charts/index.ts'
import { toBlockEvent } from './block-event.ts'
import type { DataToolMeans } from './contract.ts'
import { reads } from './reads.ts'

export function createMakeChart({ queries, clock = systemClock }: DataToolMeans): OwnTool {
  return defineTool({
    name: 'make_chart',
    title: 'Chart',
    description:
      'Shows the user a chart of a query that was run. It names columns of the result; points ' +
      'cannot be given. x: categories or time; y: what is measured; series: splits one measure.',
    ...reads,
    input: z.object({
      query: z.string().min(1).max(128).describe('The number of the query, like q1'),
      chart: z.object(chartSpecSchema.shape),
    }),
    async run({ query: asked, chart }, { principal, session_id, signal, emit, tool_call_id }) {
      const query = await queries.get({ principal, session_id, signal }, asked)
      const faults = checkChart(chart, query.columns, query.kept_rows)
      if (faults.length > 0) throw new AppError('invalid_arguments', faults.join(' '))
      const { query_id, ref } = query
      emit?.(toBlockEvent(clock, tool_call_id, { kind: 'chart', query_id, ref, chart }))
      return {
        content: [{ type: 'text' as const, text: `The user sees the chart of ${ref} now.` }],
        structuredContent: { query_id, ref, chart },
      }
    },
  })
}
