import { randomUUID } from 'node:crypto'
import type {
  AgentExecutor,
  ApprovalPolicy,
  ExecuteContext,
  RunEvent,
  SessionManager,
  SessionStore,
} from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import { AppError, type Session } from '@dataagent/schema'
import type { EndedTurn } from '../deps/index.ts'
import type { StillMay } from '../identity/index.ts'
import type { RunRow, Runs } from '../ports/index.ts'
import type { RunRequest, StartedRun } from './contract.ts'
import type { Feed } from './feed.ts'
import { toFormerPrincipal } from './former-principal.ts'
import type { LocalRun, LocalRuns } from './local-runs.ts'
import { toRunError } from './run-error.ts'
import { createRunRecord } from './run-record.ts'
import type { Turn } from './turn-queue.ts'

export interface LaunchOptions {
  runs: Runs
  sessions: Pick<SessionManager<AgentExecutor>, 'getExecutor'>
  store: Pick<SessionStore, 'get'>
  feed: Feed
  local: LocalRuns
  stillMay: StillMay
  clock: Clock
  /** This process. */
  owner: string
  approvalsOf(session: Session, canAsk: boolean): ApprovalPolicy
  /** Told of each run that has ended here. Must not throw. */
  onTurn?: ((turn: EndedTurn) => void) | undefined
  /** Told of what nobody waits for. Must not throw. */
  onError(error: unknown, session_id: string): void
}

/** What is to be carried out, with its place among the turns. */
export interface Launch extends Omit<RunRequest, 'message' | 'signal'> {
  turn: Turn
  /** The monotonic time at which it was asked for. Default: now. */
  askedAt?: number | undefined
  /** Stops the run, from before it is listed. */
  cancelled?: AbortSignal | undefined
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
  const { runs, sessions, store, feed, local, clock, owner, onError } = options

  async function begin(run: LocalRun, launch: Launch): Promise<RunRow> {
    const { row, principal, session, trace } = launch
    if (row) {
      await runs.update(row.run_id, { owner })
      return row
    }
    const fresh = toRow(run.run_id, { principal, session, trace, owner, now: clock.now() })
    await runs.begin(fresh)
    await assertStillMay(fresh)
    return fresh
  }

  /**
   * The turn may have waited long for its place. Asked when the row is there: who takes a right
   * away from then on finds the run by it.
   */
  async function assertStillMay(row: RunRow): Promise<void> {
    const { isAsBefore } = await toFormerPrincipal(options.stillMay, row)
    if (isAsBefore) return
    await runs.forget(row.run_id)
    throw new AppError('unauthenticated', 'This credential is not valid any more.')
  }

  /** As it is now: its switches may have been set while the turn waited for its place. */
  async function readAgain(session: Session): Promise<Session> {
    const { tenant_id, session_id } = session
    const current = await store.get(tenant_id, session_id)
    return current ? { ...session, state: current.state } : session
  }

  function contextOf(run: LocalRun, launch: Launch): ExecuteContext {
    const { principal, session, message_id, trace, canAsk } = launch
    const approvals = options.approvalsOf(session, canAsk)
    const { signal } = run.stop
    const without = new Set(session.state.servers_off)
    const waitForPlace = async (ending: AbortSignal) => {
      // First what the run has said is heard: that it waits for a person no more.
      await new Promise(setImmediate)
      await run.turn.ready(ending)
    }
    const { run_id } = run
    return { principal, approvals, without, signal, message_id, trace, run_id, waitForPlace }
  }

  async function follow(run: LocalRun, { events, first, askedAt }: Opened) {
    const record = createRunRecord()
    const sinceAsked = () => (clock.monotonic() - askedAt) / 1000
    let firstSeconds: number | undefined
    let last: RunEvent | undefined
    for (let next: RunEvent | undefined = first; next !== undefined; ) {
      const event: RunEvent = next
      record.take(event)
      if (isAnswer(event)) firstSeconds ??= sinceAsked()
      run.isOver = record.isOver
      if (event.event_type === 'session_state') note(run, event.status)
      if (run.isOver) last = event
      else feed.tell(run.session_id, event)
      const { value, done } = await events.next()
      next = done ? undefined : value
    }
    if (last === undefined) return runs.leave(run.run_id, owner)
    // Who hears the last event may go on at once: the session is let go of, and the row is ended.
    const { run_id, session_id } = run
    const end = record.toEnd(clock.now())
    await runs.end(run_id, end).catch((error) => onError(error, session_id))
    options.onTurn?.({ status: end.status, seconds: sinceAsked(), firstSeconds })
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
      if (!done) throw toRunError(first)
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
    const { askedAt = clock.monotonic() } = launch
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
    const stop = () => run.stop.abort()
    launch.cancelled?.addEventListener('abort', stop, { once: true })
    const leave = () => {
      launch.cancelled?.removeEventListener('abort', stop)
      local.remove(run)
      launch.turn.leave()
      over.resolve()
    }
    const isListed = local.add(run)
    try {
      const current = { ...launch, session: await readAgain(launch.session) }
      const opened = await open(run, current, await begin(run, current))
      if (opened === undefined) {
        leave()
        return undefined
      }
      if (!isListed) await list(run)
      const { first } = opened
      follow(run, { ...opened, askedAt })
        .catch((error) => onError(error, session_id))
        .finally(leave)
      return { run_id: run.run_id, first_seq: first.seq, ended: run.ended }
    } catch (error) {
      leave()
      throw error
    }
  }
}

interface Opened {
  events: AsyncIterator<RunEvent>
  first: RunEvent
  /** The monotonic time at which the run was asked for. */
  askedAt: number
}

/** What comes of the model, and not of the one who asked. */
function isAnswer({ event_type }: RunEvent): boolean {
  return event_type === 'text' || event_type === 'reasoning' || event_type === 'tool_call'
}

interface RowParts extends Pick<RunRequest, 'principal' | 'session' | 'trace'> {
  owner: string
  now: number
}

function toRow(run_id: string, { principal, session, trace, owner, now }: RowParts): RunRow {
  const { tenant_id, user_id, session_id, assistant_id } = session
  return {
    ...{ run_id, tenant_id, user_id, session_id, assistant_id, owner },
    ...{ role: principal.role, api_key: principal.api_key ?? null },
    ...{ status: 'running', seen_at: now, started_at: now, ended_at: null, error_code: null },
    ...{ model: null, traceparent: trace?.traceparent ?? null },
    ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost_micros: 0 },
  }
}
