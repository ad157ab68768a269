import type { AgentExecutor, SessionManager } from '@dataagent/core'
import { createOutage } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { isAppError, type Session } from '@dataagent/schema'
import type { StillMay } from '../identity/index.ts'
import { inTrace } from '../log/index.ts'
import type { RunRow } from '../ports/index.ts'
import { cancelKey } from './cancelling.ts'
import type { StartedRun } from './contract.ts'
import { toFormerPrincipal } from './former-principal.ts'
import type { Launch } from './launch.ts'
import type { LocalRuns } from './local-runs.ts'
import { createSettling, isPassing, type SettlingOptions } from './settling.ts'
import type { SignsOfLife } from './signs-of-life.ts'
import type { TurnQueue } from './turn-queue.ts'

export interface PickUpOptions extends SettlingOptions {
  stillMay: StillMay
  sessions: Pick<SessionManager<AgentExecutor>, 'getSession'>
  kv: Pick<Kv, 'get' | 'acquireLease'>
  signs: Pick<SignsOfLife, 'findLeft' | 'isFree'>
  local: LocalRuns
  queue: TurnQueue
  launch(launch: Launch): Promise<StartedRun | undefined>
  /**
   * Awaited before each run of the session, and before it has its place among the turns: waits for
   * its servers, until the signal at most.
   */
  prepare(session: Session, wait: { patienceMs: number; signal: AbortSignal }): Promise<void>
  /** This process. */
  owner: string
}

/** Finds runs whose process has died, and goes on with them, or ends them where nobody can. */
export interface PickUp {
  start(): void
  stop(): void
  /**
   * Goes on with one, unless someone has it, and without waiting for its servers any longer.
   * Resolves when it is under way or done with.
   */
  take(row: RunRow): Promise<void>
}

const everyMs = 2_000
/** After what time is looked again for runs whose lease has not run out yet. */
const soonMs = 500
/** Longer than a look takes; nobody looks for as long where one died in it. */
const lookMs = 5_000
/** How long the servers are waited for that the run may need: they too come back. */
const patienceMs = 10_000
/** A run that has only just begun may not have its lease yet. */
const youngMs = 5_000
/** Open runs that are asked for; where there are more, for as many times as many again. */
const atFirst = 1_000
const timesMore = 8

export function createPickUp(options: PickUpOptions): PickUp {
  const { runs, sessions, kv, signs, leases, local, queue, launch, clock, owner, onLog } = options
  const settling = createSettling(options)
  const taking = new Map<string, { hurry: AbortController; done: Promise<void> }>()
  const outage = createOutage({
    away: 'runs that were left cannot be looked for',
    back: 'runs that were left are looked for again',
    ...{ clock, onLog },
  })
  /** Left runs of which the log has that they cannot be picked up for now. */
  const told = new Set<string>()
  let cancelTimer = () => {}
  let isStopped = false

  /** One process looks at a time. Gives how long until the next look. */
  async function look(): Promise<number> {
    const lease = await kv.acquireLease('runs:pick-up', { ttlMs: lookMs, owner })
    if (lease === undefined) return everyMs
    try {
      const left = await findLeft()
      for (const run_id of told) if (!left.some((row) => row.run_id === run_id)) told.delete(run_id)
      const held = await Promise.all(left.map(({ session_id }) => leases.isHeld(session_id)))
      const free = left.filter((row, index) => !held[index] && !taking.has(row.run_id))
      for (const row of free) {
        if (isStopped || lease.lost.aborted) break
        takeFree(row).catch((error) => tellOnce(row, error))
      }
      return held.includes(true) ? soonMs : everyMs
    } finally {
      await lease.release()
    }
  }

  /** Those of dead processes, and those of ours that are not here. */
  async function findLeft(): Promise<RunRow[]> {
    const open = await readOpen()
    const isOld = (row: RunRow) => clock.now() - row.started_at >= youngMs
    const own = open.filter((row) => row.owner === owner && isOld(row))
    const left = [...own, ...(await signs.findLeft(open))]
    return left.filter((row) => local.get(row.session_id) === undefined)
  }

  /**
   * All of them, oldest first: those that wait for people are the oldest, and may be any number.
   */
  async function readOpen(): Promise<RunRow[]> {
    for (let limit = atFirst; ; limit *= timesMore) {
      const open = await runs.open(limit)
      if (open.length < limit) return open
    }
  }

  async function take(row: RunRow): Promise<void> {
    if ((await leases.isHeld(row.session_id)) || !(await signs.isFree(row))) return
    const done = takeFree(row)
    taking.get(row.run_id)?.hurry.abort()
    await done
  }

  function takeFree(row: RunRow): Promise<void> {
    const { run_id } = row
    const begun = taking.get(run_id)
    if (begun) return begun.done
    const hurry = new AbortController()
    const done = goOnOrEnd(row, hurry.signal).finally(() => taking.delete(run_id))
    taking.set(run_id, { hurry, done })
    return done
  }

  function goOnOrEnd(row: RunRow, hurry: AbortSignal): Promise<void> {
    return inTrace(row.traceparent, () => findAndGoOn(row, hurry))
  }

  async function findAndGoOn(row: RunRow, hurry: AbortSignal): Promise<void> {
    try {
      const session = await findSession(row)
      if (session === undefined) await settling.drop(row, 'not_found')
      else await goOn(row, session, hurry).catch((error) => endUnlessPassing(row, error))
    } catch (error) {
      // Another process was faster, or the session is busy with something newer.
      if (!isAppError(error, 'conflict') && !isAppError(error, 'unavailable')) throw error
    }
  }

  async function goOn(row: RunRow, session: Session, signal: AbortSignal): Promise<void> {
    const { session_id, run_id } = row
    // What is only to be ended needs no servers.
    const { isToEnd: needsNone } = await findPrincipal(row)
    await options.prepare(session, { patienceMs: needsNone ? 0 : patienceMs, signal })
    const turn = await queue.enter(row.tenant_id)
    const { principal, isToEnd } = await findPrincipal(row).catch((error) => {
      turn.leave()
      throw error
    })
    const started = await launch({
      ...{ session, principal, row, canAsk: true, turn, trace: traceOf(row) },
      begin(executor, context) {
        const signal = isToEnd ? AbortSignal.abort() : context.signal
        return executor.resume(session_id, { ...context, signal, onlyRun: run_id })
      },
    })
    if (started === undefined) await settling.settle(row)
  }

  /** Who goes on with it, and whether that is only to its end; to be asked again after a wait. */
  async function findPrincipal(row: RunRow) {
    const { principal, mayGoOn } = await toFormerPrincipal(options.stillMay, row)
    return { principal, isToEnd: !mayGoOn || (await isCancelled(row)) }
  }

  async function isCancelled({ run_id }: RunRow): Promise<boolean> {
    return (await kv.get(cancelKey(run_id))) !== undefined
  }

  /** Its agent is gone, or its model: what does not pass ends it. */
  async function endUnlessPassing(row: RunRow, error: unknown): Promise<void> {
    if (isStopped || isPassing(error)) throw error
    await settling.end(row, (await isCancelled(row)) ? undefined : error)
  }

  /** It is tried again with each look. */
  function tellOnce({ session_id, run_id }: RunRow, error: unknown): void {
    if (told.has(run_id)) return
    told.add(run_id)
    const message = 'a run that was left cannot be picked up for now'
    onLog({ level: 'error', message, error, session_id, run_id })
  }

  async function findSession({ tenant_id, user_id, session_id }: RunRow) {
    return sessions.getSession({ tenant_id, user_id }, session_id).catch((error) => {
      if (isAppError(error, 'not_found')) return undefined as Session | undefined
      throw error
    })
  }

  function lookLater(ms: number): void {
    cancelTimer = clock.after(ms, () => {
      let nextMs = everyMs
      look()
        .then((ms) => {
          nextMs = ms
          outage.worked()
        })
        .catch(outage.failed)
        .finally(() => {
          if (!isStopped) lookLater(nextMs)
        })
    })
  }

  return {
    start() {
      isStopped = false
      lookLater(0)
    },
    stop() {
      isStopped = true
      cancelTimer()
    },
    take,
  }
}

/** The trace that it was begun in goes on. */
function traceOf({ traceparent }: RunRow): Launch['trace'] {
  return traceparent === null ? undefined : { traceparent }
}
