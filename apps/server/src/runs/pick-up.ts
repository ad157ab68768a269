import type { AgentExecutor, RunLeases, SessionLog, SessionManager } from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { isAppError, type Session } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { ApiKeys, RunRow, Runs, Users } from '../ports/index.ts'
import { cancelKey } from './cancelling.ts'
import type { StartedRun } from './contract.ts'
import { toFormerPrincipal } from './former-principal.ts'
import type { Launch } from './launch.ts'
import type { LocalRuns } from './local-runs.ts'
import { createRunRecord } from './run-record.ts'
import { readStored } from './stored-event.ts'
import type { TurnQueue } from './turn-queue.ts'

export interface PickUpOptions {
  runs: Runs
  users: Pick<Users, 'get'>
  apiKeys: Pick<ApiKeys, 'get'>
  sessions: Pick<SessionManager<AgentExecutor>, 'getSession'>
  log: SessionLog
  kv: Pick<Kv, 'get' | 'set' | 'acquireLease'>
  leases: Pick<RunLeases, 'isHeld'>
  local: LocalRuns
  queue: TurnQueue
  launch(launch: Launch): Promise<StartedRun | undefined>
  /** Has the servers of the session's user connected, as far as that can be in a few seconds. */
  wake(principal: Principal, session: Session): Promise<void>
  clock: Clock
  /** This process. */
  owner: string
  onError(error: unknown, session_id: string): void
}

/** Finds runs whose process has died, and goes on with them. */
export interface PickUp {
  start(): void
  stop(): void
  /** Goes on with one, unless someone has it; resolves when it is under way or done with. */
  take(row: RunRow): Promise<void>
}

const everyMs = 2_000
/** How long a process counts as alive after it last said so. */
const aliveMs = 8_000
/** A run that has only just begun may not have its lease yet. */
const youngMs = 5_000
const atOnce = 1_000

const aliveKey = (owner: string) => `process:${owner}`

export function createPickUp(options: PickUpOptions): PickUp {
  const { runs, sessions, kv, leases, local, queue, launch, clock, owner, onError } = options
  const taking = new Set<string>()
  let cancelTimer = () => {}
  let isStopped = true

  /** One process looks at a time. */
  async function look(): Promise<void> {
    await kv.set(aliveKey(owner), '1', { ttlMs: aliveMs })
    const lease = await kv.acquireLease('runs:pick-up', { ttlMs: 10_000, owner })
    if (lease === undefined) return
    try {
      for (const row of await findLeft()) {
        if (isStopped || lease.lost.aborted) return
        take(row).catch((error) => onError(error, row.session_id))
      }
    } finally {
      await lease.release()
    }
  }

  /** Those of dead processes, and those of ours that are not here. */
  async function findLeft(): Promise<RunRow[]> {
    const open = await runs.open(atOnce)
    const owners = [...new Set(open.map((row) => row.owner))].filter((one) => one !== owner)
    const states = await Promise.all(owners.map((one) => kv.get(aliveKey(one))))
    const alive = new Set(owners.filter((_, index) => states[index] !== undefined))
    const isYoung = (row: RunRow) => clock.now() - row.started_at < youngMs && row.owner === owner
    return open.filter((row) => {
      return !alive.has(row.owner) && !isYoung(row) && local.get(row.session_id) === undefined
    })
  }

  async function take(row: RunRow): Promise<void> {
    const { run_id, session_id } = row
    if (taking.has(run_id) || (await leases.isHeld(session_id))) return
    taking.add(run_id)
    try {
      const session = await findSession(row)
      if (session === undefined) await drop(row)
      else await goOn(row, session)
    } catch (error) {
      // Another process was faster, or the session is busy with something newer.
      if (!isAppError(error, 'conflict') && !isAppError(error, 'unavailable')) throw error
    } finally {
      taking.delete(run_id)
    }
  }

  async function goOn(row: RunRow, session: Session): Promise<void> {
    const { session_id } = row
    const { principal, mayGoOn } = await toFormerPrincipal(options, row)
    const isCancelled = !mayGoOn || (await kv.get(cancelKey(session_id))) !== undefined
    if (!isCancelled) await options.wake(principal, session)
    const started = await launch({
      ...{ session, principal, row, canAsk: true, turn: await queue.enter(row.tenant_id) },
      begin(executor, context) {
        const signal = isCancelled ? AbortSignal.abort() : context.signal
        return executor.resume(session_id, { ...context, signal })
      },
    })
    if (started === undefined) await settle(row)
  }

  async function findSession({ tenant_id, user_id, session_id }: RunRow) {
    return sessions.getSession({ tenant_id, user_id }, session_id).catch((error) => {
      if (isAppError(error, 'not_found')) return undefined as Session | undefined
      throw error
    })
  }

  async function drop({ run_id }: RunRow): Promise<void> {
    const end = createRunRecord().toEnd(clock.now())
    await runs.end(run_id, { ...end, status: 'error', error_code: 'not_found' })
  }

  /** It had ended, and only the row did not know. */
  async function settle(row: RunRow): Promise<void> {
    const record = createRunRecord()
    for (const { json } of await options.log.tail(row.session_id, 500)) {
      const event = readStored(json)
      if (event.run_id === row.run_id) record.take(event)
    }
    await runs.end(row.run_id, record.toEnd(clock.now()))
  }

  function lookLater(ms: number): void {
    cancelTimer = clock.after(ms, () => {
      look()
        .catch((error) => onError(error, ''))
        .finally(() => {
          if (!isStopped) lookLater(everyMs)
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
