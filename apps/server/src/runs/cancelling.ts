import type { RunLeases } from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { CancelResponse } from '@dataagent/schema'
import type { RunRow, Runs } from '../ports/index.ts'
import type { LocalRuns } from './local-runs.ts'
import type { PickUp } from './pick-up.ts'
import type { Queued } from './queued.ts'
import type { SessionChannels } from './session-channel.ts'

export interface CancellingOptions {
  local: LocalRuns
  /** Turns that wait to begin here. */
  queued: Queued
  channels: SessionChannels | undefined
  kv: Pick<Kv, 'set'>
  leases: Pick<RunLeases, 'isHeld'>
  runs: Pick<Runs, 'latestOf'>
  pickUp: PickUp
  clock: Clock
}

/** How long a cancel waits for the run's end: it is on its way then, however long it takes. */
const waitMs = 1_000
const lookEveryMs = 20
/** How long a process that picks the run up knows that it was cancelled. */
const rememberMs = 60_000

export const cancelKey = (run_id: string) => `cancelled:${run_id}`

/** Stops a session's run, in whichever process it is. */
export function createCancelling(options: CancellingOptions) {
  const { local, queued, channels, kv, leases, runs, pickUp, clock } = options

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => void clock.after(ms, resolve))
  }

  async function openRun(session_id: string): Promise<RunRow | undefined> {
    const [row] = await runs.latestOf([session_id])
    return row?.ended_at === null ? row : undefined
  }

  /** Of this run alone: the session's next one is not cancelled. */
  async function remember({ run_id }: RunRow): Promise<void> {
    await kv.set(cancelKey(run_id), '1', { ttlMs: rememberMs })
  }

  /** By the process that has it; and, should that die, by the one that picks it up. */
  async function cancelElsewhere(session_id: string): Promise<void> {
    channels?.say(session_id, { kind: 'cancel' })
    const row = await openRun(session_id)
    if (row) await remember(row)
    const until = clock.monotonic() + waitMs
    while (clock.monotonic() < until && (await leases.isHeld(session_id))) await pause(lookEveryMs)
  }

  /** The process that had it has died, and nobody has picked it up yet. */
  async function cancelLeft(session_id: string): Promise<boolean> {
    const row = await openRun(session_id)
    if (row === undefined) return false
    await remember(row)
    await Promise.race([pickUp.take(row), pause(waitMs)])
    return true
  }

  async function isCancelled(session_id: string): Promise<boolean> {
    const hadWaiting = queued.cancel(session_id)
    const run = local.get(session_id)
    if (run?.isOver) await run.ended
    if (run?.isOver) return hadWaiting
    run?.stop.abort()
    if (run) await Promise.race([run.ended, pause(waitMs)])
    if (run || hadWaiting) return true
    if (!(await leases.isHeld(session_id))) return cancelLeft(session_id)
    await cancelElsewhere(session_id)
    return true
  }

  return {
    async cancel(session_id: string): Promise<CancelResponse> {
      return { session_id, cancelled: await isCancelled(session_id) }
    },
  }
}
