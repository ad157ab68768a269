import type { SentEvent } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import type { Lang } from '../../words/index.ts'
import type { Theme } from '../contract.ts'
import { createTheme } from '../theme.ts'
import { createTranscript } from './transcript.ts'

type Fields = { event_type: string; [field: string]: unknown }

export const plainTheme = createTheme({ env: { NO_COLOR: '1' }, isTty: true })

/** A transcript that events are told to, numbered one after the other, a second apart. */
export function createTold({ theme = plainTheme, lang = 'en' as Lang, width = 60 }: Told = {}) {
  const clock = createFakeClock()
  const transcript = createTranscript({ theme, lang, clock })
  let seq = 0
  return {
    transcript,
    clock,
    tell(...events: Fields[]): void {
      for (const event of events) {
        seq += event.offset === undefined || event.offset === 0 ? 1 : 0
        const place = { session_id: 's1', run_id: 'r1', seq, timestamp: seq * 1000 }
        transcript.add({ ...place, ...event } as unknown as SentEvent)
      }
    },
    lines: () => transcript.takeLines(width),
    live: (rows = 20) => transcript.renderLive(width, rows),
  }
}

interface Told {
  theme?: Theme
  lang?: Lang
  width?: number
}

export const asked = (content = 'Hi') => ({ event_type: 'user_message', message_id: 'm1', content })
export const text = (content: string, fields: object = {}) => ({
  ...{ event_type: 'text', content, is_final: true },
  ...fields,
})
export const called = (
  id: string,
  name = 'mcp.orders.query',
  args: object = { sql: 'select 1' },
) => ({
  ...{ event_type: 'tool_call', tool_call_id: id, tool_name: name, tool_args: args },
})
export const started = (id: string) => ({
  ...{ event_type: 'tool_started', tool_call_id: id, tool_name: 'mcp.orders.query' },
})
export const ended = (id: string, result: unknown = 'ok', fields: object = {}) => ({
  ...{ event_type: 'tool_result', tool_call_id: id, result, status: 'success', outcome: 'ok' },
  ...{ duration_ms: 38 },
  ...fields,
})
export const done = { event_type: 'done', cancelled: false }
export const asksLeave = (id: string) => ({
  ...{ event_type: 'hitl_request', approval_id: `a-${id}`, tool_call_id: id },
  action_request: { name: 'query', args: {}, description: 'd' },
})
export const decidedBy = (id: string, decision: object, fields: object = {}) => ({
  ...{ event_type: 'approval_decided', approval_id: `a-${id}`, via: 'person', decided_by: 'ana' },
  decision: { type: 'approve', message: '', ...decision },
  ...fields,
})
