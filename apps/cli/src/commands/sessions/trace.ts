import type { Client } from '@dataagent/client'
import { isKnownEvent, type SentEvent } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { readEventsBetween } from '../events-between.ts'
import { formatMs, formatTime } from '../view/format.ts'
import { toRows } from '../view/rows.ts'
import { noSession } from '../words.ts'
import {
  lastTurn,
  noTrace,
  spansGo,
  spansGoNowhere,
  stillRunning,
  traceIs,
  traceNotYet,
} from './words.ts'

const pageSize = 200
/** Events of one turn that are looked through, from its end. */
const eventsMax = 2_000

/** The events of the last turn with their times, its calls, and where its spans went. */
export async function runTrace(app: App): Promise<void> {
  const { session, lang, theme, signal } = app
  if (session === undefined) return app.tell('info', noSession[lang])
  const { client } = await app.link()
  const { session_id } = session
  const { runs } = await client.sessions.runs(session_id, { limit: 1 }, { signal })
  const [run] = runs
  if (run === undefined) return app.tell('info', noSession[lang])
  const [events, traces, spans] = await Promise.all([
    readRun(client, { session_id, run_id: run.run_id, signal }),
    readTraceIds(client, { session_id, run_id: run.run_id, signal }),
    whereSpansGo(client, app),
  ])
  const { started_at, ended_at, run_id } = run
  const took = ended_at === null ? stillRunning[lang] : formatMs(ended_at - started_at)
  const width = app.screen.columns
  app.say(
    [
      theme.heading(lastTurn(formatTime(started_at), took)[lang]),
      ...toRows(toSteps(events, started_at, app), { width, right: [0] }),
      theme.dim(`run ${toPlainLine(run_id, 40)}`),
      ...toTraceLines(traces, events, app),
      ...(spans === undefined ? [] : [theme.dim(spans)]),
    ].join('\n'),
  )
}

/** Calls are audited a moment after they end. */
function toTraceLines(ids: readonly string[], events: readonly SentEvent[], app: App): string[] {
  const { theme, lang } = app
  if (ids.length > 0) return ids.map((id) => theme.dim(`${traceIs[lang]} ${id}`))
  const hasCalled = events.some(({ event_type }) => event_type === 'tool_started')
  return [theme.dim((hasCalled ? traceNotYet : noTrace)[lang])]
}

interface Which {
  session_id: string
  run_id: string
  signal: AbortSignal
}

/** The log is read from its end, as far back as the run goes. */
async function readRun(client: Client, which: Which): Promise<SentEvent[]> {
  const { session_id, run_id, signal } = which
  const { head } = await client.sessions.events(session_id, { limit: 1 }, { signal })
  let found: SentEvent[] = []
  for (let after = head; after > 0 && found.length < eventsMax; ) {
    const after_seq = Math.max(0, after - pageSize)
    const between = { session_id, after: after_seq, through: after, signal }
    const events = await readEventsBetween(client, between)
    const own = events.filter((event) => 'run_id' in event && event.run_id === run_id)
    found = [...(own as SentEvent[]), ...found]
    if (own.length === 0 || own.length < events.length) break
    after = after_seq
  }
  return found
}

/** Those that the calls of the run were audited under. */
async function readTraceIds(client: Client, { session_id, run_id, signal }: Which) {
  const page = await client.audit.calls({ session_id, limit: pageSize }, { signal })
  const own = page.calls.filter((call) => call.run_id === run_id)
  return [...new Set(own.map(({ trace_id }) => toPlainLine(trace_id, 40)))]
}

/** Only administrators may know. */
async function whereSpansGo(client: Client, { lang, signal }: App): Promise<string | undefined> {
  const list = await client.operations.settings({ signal }).catch(() => undefined)
  const setting = list?.settings.find(({ name }) => name === 'otlp_endpoint')
  if (setting === undefined) return undefined
  if (typeof setting.value !== 'string' || setting.value === '') {
    return spansGoNowhere(toPlainLine(setting.env, 40))[lang]
  }
  return spansGo(toPlainLine(setting.value, 60))[lang]
}

function toSteps(events: readonly SentEvent[], started_at: number, { theme }: App): string[][] {
  return events.filter(isFirstText).map((event) => {
    const at = formatMs(Math.max(0, event.timestamp - started_at))
    return [theme.dim(`+${at}`), toPlainLine(event.event_type, 20), toNote(event)]
  })
}

/** Text comes in many pieces: one line says that it began. */
function isFirstText(event: SentEvent, at: number, all: readonly SentEvent[]): boolean {
  return event.event_type !== 'text' || all[at - 1]?.event_type !== 'text'
}

function toNote(event: SentEvent): string {
  if (!isKnownEvent(event)) return ''
  switch (event.event_type) {
    case 'tool_call':
      return `${event.tool_name} ${JSON.stringify(event.tool_args)}`
    case 'tool_started':
      return `${event.tool_name} ${event.call_id ?? event.tool_call_id}`
    case 'tool_result': {
      const took = event.duration_ms === undefined ? '' : ` ${formatMs(event.duration_ms)}`
      return `${event.outcome ?? event.status}${took}`
    }
    case 'usage':
      return `${event.model} ${event.prompt_tokens} + ${event.completion_tokens}`
    case 'hitl_request':
      return event.approval_id
    case 'approval_decided':
      return `${event.approval_id} ${event.decision.type}`
    case 'error':
      return `${event.error_code ?? ''} ${event.error}`
    case 'user_message':
      return event.content
    default:
      return ''
  }
}
