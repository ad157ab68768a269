import type { RunLeases } from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { CancelResponse } from '@dataagent/schema'
import type { RunRow, Runs } from '../ports/index.ts'
import type { LocalRun, LocalRuns } from './local-runs.ts'
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
/** How long others have to say that they had a turn that waited. */
const answerMs = 500
/**
 * How long a process that picks the run up knows that it was cancelled: a full disk or a database
 * that is away may keep everybody from it for hours.
 */
const rememberMs = 24 * 3_600_000

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
  async function remember({ run_id }: Pick<RunRow, 'run_id'>): Promise<void> {
    await kv.set(cancelKey(run_id), '1', { ttlMs: rememberMs })
  }

  /** Here. One that has not ended by then, or was left, is another's where this process ends. */
  async function cancelLocal(run: LocalRun): Promise<void> {
    run.stop.abort()
    await Promise.race([run.ended, pause(waitMs)])
    if (!run.isOver) await remember(run).catch(() => {})
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
    // What cannot be ended now is tried again with each look, and is still cancelled then.
    const taken = pickUp.take(row).catch(() => {})
    await Promise.race([taken, pause(waitMs)])
    return true
  }

  /** Of a turn that waits to begin its own process alone knows: it says so when it ends it. */
  async function cancelWaiting(session_id: string): Promise<boolean> {
    if (channels === undefined) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    let say = () => channels.say(session_id, { kind: 'cancel' })
    const leave = channels.listen(session_id, {
      onMessage: ({ kind }) => void (kind === 'cancelled' && resolve(true)),
      // From now on the answer is heard.
      onGap() {
        say()
        say = () => {}
      },
    })
    const isHeard = await Promise.race([promise, pause(answerMs).then(() => false)])
    leave()
    return isHeard
  }

  async function isCancelled(session_id: string): Promise<boolean> {
    const hadWaiting = queued.cancel(session_id)
    const run = local.get(session_id)
    if (run?.isOver) await run.ended
    if (run?.isOver) return hadWaiting
    if (run) await cancelLocal(run)
    if (run || hadWaiting) return true
    if (await leases.isHeld(session_id)) {
      await cancelElsewhere(session_id)
      return true
    }
    const [wasLeft, hasWaited] = await Promise.all([
      cancelLeft(session_id),
      cancelWaiting(session_id),
    ])
    return wasLeft || hasWaited
  }

  return {
    async cancel(session_id: string): Promise<CancelResponse> {
      return { session_id, cancelled: await isCancelled(session_id) }
    },
  }
}
