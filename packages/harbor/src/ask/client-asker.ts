import { type Client, type ClientOptions, createClient, isClientError } from '@dataagent/client'
import { type HITLRequestEvent, isKnownEvent } from '@dataagent/schema'
import type { Asker, KeptRows, Outcome, ResultTable } from '../contract.ts'
import { followOverRest, followOverSocket } from './follow-turn.ts'
import { repeatUntil } from './repeat-until.ts'
import { createTally, type Failure } from './tally.ts'

export interface ClientAskerOptions {
  /** Who asks, and whom: a client, or what one is made of. All askings share its connections. */
  client: Client | ClientOptions
  transport: 'rest' | 'ws'
  /** Without one the default assistant answers. */
  assistant_id?: string | undefined
  /**
   * What becomes of a call that asks for leave: `never` ends the turn, `policy` tells the model
   * that it may not, `auto` has the session approve whatever may be approved so.
   */
  approve: 'never' | 'policy' | 'auto'
  /** The source of data that `expected_sql` is run on; without one nothing can be compared. */
  sqlSource?: string | undefined
  /** Whether sessions stay, to be looked at. Default true. */
  keepSessions?: boolean | undefined
}

/** As given, with the client made. */
type Means = ClientAskerOptions & { client: Client }

/** How long the end of a turn that was stopped is waited for. */
const endMs = 1_500
const againMs = 100
const deleteMs = 10_000

/** Asks a server as its users do: a session for each question, over REST or WebSocket. */
export function createClientAsker(options: ClientAskerOptions): Asker {
  const { transport, approve, sqlSource, keepSessions = true } = options
  const client = 'chat' in options.client ? options.client : createClient(options.client)
  const means: Means = { ...options, client }
  const deletions = new Set<Promise<void>>()

  function remove(session_id: string | null): void {
    if (keepSessions || session_id === null) return
    const signal = AbortSignal.timeout(deleteMs)
    const deletion = client.sessions
      .delete(session_id, { signal })
      // It stays, as every other session does that nobody deletes.
      .catch(() => {})
      .finally(() => deletions.delete(deletion))
    deletions.add(deletion)
  }

  return {
    ...{ transport, approve },
    async ask(question, { signal }) {
      const outcome = await ask(means, question, signal)
      remove(outcome.session_id)
      return outcome
    },
    readRows: (kept, { signal }) => readRows(client, kept, signal),
    ...(sqlSource !== undefined && {
      runSql: (sql: string, { signal }: { signal: AbortSignal }) =>
        runSql(client, { source: sqlSource, sql }, signal),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all(deletions)
    },
  }
}

async function ask(means: Means, message: string, signal: AbortSignal): Promise<Outcome> {
  const { client } = means
  const follow = means.transport === 'ws' ? followOverSocket : followOverRest
  const tally = createTally(() => performance.now())
  const leave = new AbortController()
  let session_id: string | null = null
  let timer: NodeJS.Timeout | undefined

  const stop = () => {
    if (session_id === null) return leave.abort()
    timer = setTimeout(() => leave.abort(), endMs)
    void cancelRun(client, session_id, leave.signal)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return tally.toOutcome(null, stopped)
    session_id = await openSession(means, message, leave.signal)
    await follow({
      ...{ client, session_id, message, signal: leave.signal },
      onEvent(event) {
        tally.add(event)
        if (isKnownEvent(event) && event.event_type === 'hitl_request')
          void reject(means, event, leave.signal)
      },
    })
    return tally.toOutcome(session_id, null)
  } catch (error) {
    return tally.toOutcome(session_id, signal.aborted ? stopped : toFailure(error))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // What still asks on behalf of this turn ends with it.
    leave.abort()
  }
}

const stopped: Failure = { code: 'cancelled', message: 'It was stopped before its end.' }

function toFailure(error: unknown): NonNullable<Failure> {
  const { message } = Object(error)
  const code = isClientError(error) ? error.error_code : 'internal'
  return { code, message: String(message ?? error) }
}

async function openSession(
  { client, assistant_id, approve }: Means,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const body = { title: toTitle(question), ...(assistant_id !== undefined && { assistant_id }) }
  // A second session of the same title does no harm; keys are counted, and askings are many.
  const { session_id } = await client.sessions.create(body, { signal, idempotencyKey: null })
  if (approve === 'auto')
    await client.sessions.update(session_id, { auto_approve: true }, { signal })
  return session_id
}

/** What people find among their own sessions. */
function toTitle(question: string): string {
  const words = [...question.replaceAll(/\s+/g, ' ').trim()]
  return `Harbor: ${words.slice(0, 80).join('')}${words.length > 80 ? '…' : ''}`
}

/** The session is this asking's own: whatever runs in it is meant, also what is about to begin. */
function cancelRun(client: Client, session_id: string, signal: AbortSignal): Promise<void> {
  const cancel = async () => (await client.chat.cancel(session_id, { signal })).cancelled
  return repeatUntil(signal, cancel, againMs)
}

function reject(
  { client, approve }: Means,
  { approval_id }: HITLRequestEvent,
  signal: AbortSignal,
): Promise<void> {
  const decision = {
    type: 'reject' as const,
    message: 'Nobody can be asked: this is an evaluation.',
    on_reject: approve === 'policy' ? ('tell' as const) : ('end' as const),
  }
  const decide = async () => {
    try {
      await client.approvals.decide(approval_id, decision, { signal })
      return true
    } catch (error) {
      // Somebody else has decided, or there is nothing to decide any more.
      return isClientError(error) && [403, 404, 409].includes(error.status)
    }
  }
  return repeatUntil(signal, decide, againMs)
}

async function runSql(
  client: Client,
  query: { source: string; sql: string },
  signal: AbortSignal,
): Promise<ResultTable> {
  const { query_id, columns, kept_rows } = await client.data.run(query, { signal })
  const rows = await readRows(client, { query_id, kept_rows }, signal)
  return { columns: columns.map(({ name }) => name), rows }
}

/** All that are kept: what is compared is the whole of both. */
async function readRows(
  client: Client,
  { query_id, kept_rows }: KeptRows,
  signal: AbortSignal,
): Promise<unknown[][]> {
  const rows: unknown[][] = []
  while (rows.length < kept_rows) {
    const page = await client.data.rows(query_id, { offset: rows.length, limit: 1_000 }, { signal })
    if (page.rows.length === 0) break
    rows.push(...page.rows)
  }
  return rows
}
