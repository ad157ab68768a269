import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ExecutionEvent } from '@dataagent/schema'
import { openSql } from '@dataagent/store/sql'
import type { TestSite } from './test-site.ts'

/** Entries that one append takes. */
const batchSize = 500

/**
 * Writes what a session has been through into the site's database, as the server would have. The
 * session must be one that nobody has opened yet.
 */
export async function fillLog(
  { dataDir }: Pick<TestSite, 'dataDir'>,
  session_id: string,
  events: readonly ExecutionEvent[],
): Promise<void> {
  await using sql = openSql({ url: `sqlite:${encodeURIComponent(join(dataDir, 'dataagent.db'))}` })
  const entries = events.map((event, i) => ({
    kind: event.event_type,
    json: JSON.stringify({ ...event, session_id, seq: i + 1, run_id: 'past' }),
  }))
  for (let at = 0; at < entries.length; at += batchSize) {
    await sql.events.append(session_id, entries.slice(at, at + batchSize))
  }
}

const answer = (n: number) => `Order **${n}** is on its way.

| order | city | total |
| --- | --- | ---: |
| ${n} | Kyoto | ${n * 7} |
| ${n + 1} | Lyon | ${n * 9} |

1. It was paid.
2. It was packed, see \`orders.get\`.

\`\`\`sql
select * from orders where id = ${n}
\`\`\`

That was answer ${n}.`

/** A turn with a call, its rows and an answer in Markdown. */
export function turnEvents(n: number): ExecutionEvent[] {
  const at = { timestamp: 1_700_000_000_000 + n * 1000 }
  const call = { tool_call_id: `call-${n}`, tool_name: 'orders' }
  const rows = Array.from({ length: 8 }, (_, i) => ({ order: n + i, city: 'Kyoto', total: i * 7 }))
  const tokens = { prompt_tokens: 900, completion_tokens: 120, always_prompt_tokens: 1200 }
  return [
    {
      event_type: 'user_message',
      ...at,
      message_id: randomUUID(),
      content: `Where is order ${n}?`,
    },
    { event_type: 'tool_call', ...at, ...call, tool_args: { order: n } },
    { event_type: 'tool_started', ...at, ...call },
    {
      ...{ event_type: 'tool_result', ...at, tool_call_id: call.tool_call_id },
      ...{ result: { rows }, status: 'success', outcome: 'ok', duration_ms: 12 },
    },
    { event_type: 'text', ...at, content: answer(n), is_final: true },
    { event_type: 'usage', ...at, model: 'standin', tool_mode: 'always', ...tokens },
    { event_type: 'done', ...at, cancelled: false },
  ]
}
