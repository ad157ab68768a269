import { randomUUID } from 'node:crypto'
import type {
  AgentExecutor,
  ApprovalPolicy,
  ExecuteContext,
  RunEvent,
  SessionManager,
} from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import { AppError, type ErrorCode, errorTable, type Session } from '@dataagent/schema'
import type { RunRow, Runs } from '../ports/index.ts'
import type { RunRequest, StartedRun } from './contract.ts'
import type { Feed } from './feed.ts'
import type { LocalRun, LocalRuns } from './local-runs.ts'
import { createRunRecord } from './run-record.ts'
import type { Turn } from './turn-queue.ts'

export interface LaunchOptions {
  runs: Runs
  sessions: Pick<SessionManager<AgentExecutor>, 'getExecutor'>
  feed: Feed
  local: LocalRuns
  clock: Clock
  /** This process. */
  owner: string
  approvalsOf(session: Session, canAsk: boolean): ApprovalPolicy
  /** Told of what nobody waits for. Must not throw. */
  onError(error: unknown, session_id: string): void
}

/** What is to be carried out, with its place among the turns. */
export interface Launch extends Omit<RunRequest, 'message' | 'signal'> {
  turn: Turn
  /** The row of a run that is gone on with. */
  row?: RunRow | undefined
  begin(executor: AgentExecutor, context: ExecuteContext): AsyncIterable<RunEvent>
}

/**
 * Carries out runs: a row says that one is under way before it begins, and how it ended afterwards.
 * A run that this process leaves, or dies in, keeps its row open for another to find. Gives
 * undefined where there was nothing to do.
 */
export function createLaunch(options: LaunchOptions) {
  const { runs, sessions, feed, local, clock, owner, onError } = options

  async function begin(run: LocalRun, launch: Launch): Promise<RunRow> {
    const { row, principal, session } = launch
    if (row) {
      await runs.update(row.run_id, { owner })
      return row
    }
    const fresh = toRow(run.run_id, { principal, session, owner, now: clock.now() })
    await runs.begin(fresh)
    return fresh
  }

  function contextOf(run: LocalRun, launch: Launch): ExecuteContext {
    const { principal, session, message_id, trace, canAsk } = launch
    const approvals = options.approvalsOf(session, canAsk)
    const { signal } = run.stop
    return { principal, approvals, signal, message_id, trace, run_id: run.run_id }
  }

  async function follow(run: LocalRun, events: AsyncIterator<RunEvent>, first: RunEvent) {
    const record = createRunRecord()
    let last: RunEvent | undefined
    for (let next: RunEvent | undefined = first; next !== undefined; ) {
      const event: RunEvent = next
      record.take(event)
      run.isOver = record.isOver
      if (event.event_type === 'session_state') note(run, event.status)
      if (run.isOver) last = event
      else feed.tell(run.session_id, event)
      const { value, done } = await events.next()
      next = done ? undefined : value
    }
    if (last === undefined) return
    // Who hears the last event may go on at once: the session is let go of, and the row is ended.
    const { run_id, session_id } = run
    await runs.end(run_id, record.toEnd(clock.now())).catch((error) => onError(error, session_id))
    feed.tell(session_id, last)
  }

  function note(run: LocalRun, status: string): void {
    run.status = status === 'waiting_approval' ? 'waiting' : 'running'
    if (run.status === 'waiting') run.turn.pause()
    else run.turn.resume()
    const { run_id, session_id } = run
    runs.update(run_id, { status: run.status }).catch((error) => onError(error, session_id))
  }

  /** The first event, once the run has begun; undefined where there was nothing to do. */
  async function open(run: LocalRun, launch: Launch, row: RunRow) {
    const executor = await sessions.getExecutor(launch.session)
    const events = launch.begin(executor, contextOf(run, launch))[Symbol.asyncIterator]()
    const { value: first, done } = await events.next()
    if (done || first.seq === 0) {
      if (launch.row === undefined) await runs.forget(row.run_id)
      if (!done) throw toAppError(first)
      return undefined
    }
    if (first.run_id !== undefined && first.run_id !== row.run_id) await takeOver(run, first.run_id)
    return { events, first }
  }

  /** The session's run before has let go of the session, and is about to leave the list. */
  async function list(run: LocalRun): Promise<void> {
    while (!local.add(run)) await local.get(run.session_id)?.ended
  }

  /** What was gone on with has a row of its own. */
  async function takeOver(run: LocalRun, run_id: string): Promise<void> {
    await runs.forget(run.run_id)
    run.run_id = run_id
    await runs.update(run_id, { owner })
  }

  return async (launch: Launch): Promise<StartedRun | undefined> => {
    const { session_id } = launch.session
    const over = Promise.withResolvers<void>()
    const run: LocalRun = {
      ...{
        run_id: launch.row?.run_id ?? randomUUID(),
        session_id,
        status: 'running',
        isOver: false,
      },
      ...{ turn: launch.turn, stop: new AbortController(), ended: over.promise },
    }
    const leave = () => {
      local.remove(run)
      launch.turn.leave()
      over.resolve()
    }
    const isListed = local.add(run)
    try {
      const opened = await open(run, launch, await begin(run, launch))
      if (opened === undefined) {
        leave()
        return undefined
      }
      if (!isListed) await list(run)
      const { events, first } = opened
      follow(run, events, first)
        .catch((error) => onError(error, session_id))
        .finally(leave)
      return { run_id: run.run_id, first_seq: first.seq, ended: run.ended }
    } catch (error) {
      leave()
      throw error
    }
  }
}

interface RowParts extends Pick<RunRequest, 'principal' | 'session'> {
  owner: string
  now: number
}

function toRow(run_id: string, { principal, session, owner, now }: RowParts): RunRow {
  const { tenant_id, user_id, session_id, assistant_id } = session
  return {
    ...{ run_id, tenant_id, user_id, session_id, assistant_id, owner },
    ...{ role: principal.role, api_key: principal.api_key ?? null },
    ...{ status: 'running', started_at: now, ended_at: null, error_code: null, model: null },
    ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost_micros: 0 },
  }
}

/** An event that came in place of a run says why there is none. */
function toAppError(event: RunEvent): AppError {
  if (event.event_type !== 'error') return new AppError('internal', 'the run did not begin')
  const { error, error_code = 'internal', details } = event
  // The session has a run already: not the server is busy, but what was asked for cannot be now.
  if (details?.busy === true) return new AppError('conflict', error, { data: details })
  const known = Object.hasOwn(errorTable, error_code) ? (error_code as ErrorCode) : 'internal'
  return new AppError(known, error, { ...(details && { data: details }) })
}
