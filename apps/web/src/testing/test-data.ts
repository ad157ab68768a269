import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChartSpec, Citations, ExecutionEvent, QueryResult } from '@dataagent/schema'
import type { TestSite } from './test-site.ts'

const regions = ['华东', '华北', 'South', 'West', 'Centre', 'Islands']

/** A folder of orders as a source of all, with what its words mean and two verified questions. */
export async function addShop(site: TestSite): Promise<string> {
  const folder = join(site.dataDir, 'shop')
  await mkdir(folder, { recursive: true })
  const lines = Array.from({ length: 3000 }, (_, i) => {
    const day = String((i % 28) + 1).padStart(2, '0')
    return `${i + 1},${regions[i % 6]},2026-10-${day},${((i * 37) % 1000) + (i % 6) * 90}.${i % 10}5`
  })
  const text = ['order_id,region,ordered_on,amount', ...lines].join('\n')
  await writeFile(join(folder, 'orders.csv'), `${text}\n`)
  const { data } = site.clientOf('olga')
  const { source_id } = await data.createSource({
    ...{ name: 'shop', description: 'Orders of the shop', location: { kind: 'files', folder } },
  })
  await data.checkSource(source_id)
  await data.putDefinition('revenue', { source_id, term: 'revenue', meaning: 'Sum of amounts' })
  await data.putQuestion('by-region', {
    ...{ source_id, question: 'Sales by region', also: ['各区域销售额'], sql: byRegion },
    verified: true,
  })
  return source_id
}

export const byRegion =
  'select region, sum(amount)::decimal(18,2) as sales, count(*) as orders\nfrom orders group by region order by sales desc'

export const barsByRegion: ChartSpec = {
  ...{ type: 'bar', x: 'region', y: ['sales'], title: 'Sales by region' },
}

interface AnsweredTurn {
  question: string
  /** With the charts that were made of each. */
  queries: readonly { query: QueryResult; chart?: ChartSpec }[]
  answer: string
  citations?: Citations
}

/** A turn that ran queries and answered with their numbers, as the server logs it. */
export function answeredTurn(turn: AnsweredTurn): ExecutionEvent[] {
  const at = { timestamp: 1_790_000_000_000 }
  const { question, queries, answer, citations } = turn
  return [
    { event_type: 'user_message', ...at, message_id: randomUUID(), content: question },
    ...queries.flatMap(({ query, chart }): ExecutionEvent[] => {
      const { query_id, ref, sql, source_name: source } = query
      const call = { tool_call_id: `call-${query_id}`, tool_name: 'run_sql' }
      const { tool_call_id } = call
      const block = { event_type: 'result_block', ...at, tool_call_id } as const
      const result = { query_id, row_count: query.row_count }
      return [
        { event_type: 'tool_call', ...at, ...call, tool_args: { source, sql } },
        { ...block, block: { kind: 'query', query } },
        {
          ...{ event_type: 'tool_result', ...at, tool_call_id, result },
          ...{ status: 'success', outcome: 'ok', duration_ms: query.elapsed_ms },
        },
        ...(chart ? [{ ...block, block: { kind: 'chart' as const, query_id, ref, chart } }] : []),
      ]
    }),
    { event_type: 'text', ...at, content: answer, is_final: true },
    ...(citations ? [{ event_type: 'citations' as const, ...at, ...citations }] : []),
    { event_type: 'done', ...at, cancelled: false },
  ]
}

/** Where the text stands in another, as citations say it. */
export function spanOf(whole: string, text: string) {
  const from = whole.indexOf(text)
  return { from, to: from + text.length, text }
}
