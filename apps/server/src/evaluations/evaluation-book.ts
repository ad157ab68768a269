import { randomUUID } from 'node:crypto'
import { type Journal, runJob } from '@dataagent/harbor'
import { AppError, type EvaluationReport } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import type { EvaluationEnd, EvaluationRunKey, WholeEvaluationRun } from '../ports/index.ts'
import type { EvaluationBook } from './contract.ts'
import { createLocalAsker } from './local-asker.ts'
import { beatMs, deadMs } from './open-state.ts'
import { createPlaces } from './places.ts'
import { loadOf, measuredMsOf, targetOf } from './report-parts.ts'
import { toStoredReport, toStoredTrial } from './stored-trial.ts'

export type EvaluationBookOptions = Pick<
  Platform,
  | ('clock' | 'log' | 'tables' | 'tenants' | 'data' | 'sessions')
  | ('agents' | 'runs' | 'stores' | 'ownUrl' | 'version')
>

/** Runs that one user may have under way. */
const openMax = 2
/** Runs that one process carries out at once; others wait. */
const placesMax = 4

/** Why a run is to stop: its owner wants it, this process ends, it is another's, nobody may. */
type StopReason = 'cancelled' | 'stopping' | 'lost' | 'refused'

interface LocalRun {
  key: EvaluationRunKey
  principal: Principal
  stop: AbortController
  ended: Promise<void>
}

export function createEvaluationBook(options: EvaluationBookOptions): EvaluationBook {
  const { clock, log, tables } = options
  const { runs, trials } = tables.evaluations
  const owner = randomUUID()
  const places = createPlaces(placesMax)
  const local = new Map<string, LocalRun>()
  let isStopping = false

  async function assertRoom({ tenant_id, user_id }: Principal): Promise<void> {
    const since = clock.now() - deadMs
    if ((await runs.countOpen({ tenant_id, user_id, since })) <= openMax) return
    const message = `You have ${openMax} evaluations under way: wait for one, or stop it.`
    throw new AppError('quota_exceeded', message, { data: { limit: 'evaluations', max: openMax } })
  }

  function assertOpen(): void {
    if (!isStopping) return
    const data = { retryAfterMs: 1_000 }
    throw new AppError('unavailable', 'The server is stopping.', { data })
  }

  function launch(principal: Principal, { tenant_id, run_id }: EvaluationRunKey): void {
    const key = { tenant_id, run_id }
    const stop = new AbortController()
    const run: LocalRun = { key, principal, stop, ended: Promise.resolve() }
    local.set(nameOf(key), run)
    run.ended = carryOut(run)
      .catch((error) => log.error({ error, ...key }, 'an evaluation failed'))
      .finally(() => local.delete(nameOf(key)))
  }

  async function carryOut(run: LocalRun): Promise<void> {
    const { key, stop } = run
    const endBeat = beat(run)
    try {
      const place = await places.take(stop.signal)
      try {
        await runs.begin(key, { owner, now: clock.now() })
        await work(run)
      } finally {
        place.leave()
      }
    } catch (error) {
      await conclude(run, { error })
    } finally {
      endBeat()
    }
  }

  /** Says that this process is at it, and stops where the run is not its own any more. */
  function beat({ key, stop }: LocalRun): () => void {
    let cancel = clock.after(beatMs, turn)
    let seen = clock.monotonic()
    let isOver = false

    function turn(): void {
      runs
        .seen(key, { owner, now: clock.now() })
        .then((isOwn) => {
          seen = clock.monotonic()
          if (!isOwn) stop.abort('lost' satisfies StopReason)
        })
        .catch((error) => {
          log.warn({ error, ...key }, 'an evaluation could not be marked as alive')
          if (clock.monotonic() - seen > deadMs) stop.abort('lost' satisfies StopReason)
        })
        .finally(() => {
          if (!isOver) cancel = clock.after(beatMs, turn)
        })
    }

    return () => {
      isOver = true
      cancel()
    }
  }

  async function work(run: LocalRun): Promise<void> {
    const { key, principal, stop } = run
    const whole = await runs.getWhole(key.tenant_id, key.run_id)
    if (!whole?.settings) return
    const { settings, name, questions } = whole
    const { assistant_id, attempts, max_seconds, sql_source = null } = settings
    await using asker = createLocalAsker({
      ...{ ...options, principal, assistant_id: assistant_id ?? '', sql_source },
      onRefused: () => stop.abort('refused' satisfies StopReason),
    })
    const report = await runJob({
      ...{ run_id: key.run_id, set: { name, questions }, asker, attempts, max_seconds },
      ...{ load: loadOf(settings), target: targetOf(options, settings) },
      journal: await openJournal(whole),
      signal: stop.signal,
    })
    await conclude(run, { report })
  }

  /** The rows of trials: what was there before the run was interrupted is not asked again. */
  async function openJournal({ tenant_id, run_id, planned }: WholeEvaluationRun): Promise<Journal> {
    const key = { tenant_id, run_id }
    const earlier = await trials.list(key, { limit: planned, offset: 0 })
    let seq = earlier.length
    return {
      trials: earlier,
      earlier_seconds: measuredMsOf(earlier) / 1_000,
      add: (trial) => trials.add(key, seq++, [toStoredTrial(trial)]),
    }
  }

  async function conclude(
    { key, stop }: LocalRun,
    { report, error }: { report?: EvaluationReport; error?: unknown },
  ): Promise<void> {
    const reason = stop.signal.reason as StopReason | undefined
    if (error !== undefined && reason === undefined)
      log.error({ error, ...key }, 'an evaluation failed')
    // Where it was cancelled through another process, what there is of it is shown all the same.
    if (report && (reason !== 'lost' || (await isCancelled(key))))
      await runs.setReport(key, toStoredReport(report))
    if (reason !== 'lost') await runs.end(key, { ...endFor(reason, error), ended_at: clock.now() })
  }

  async function isCancelled({ tenant_id, run_id }: EvaluationRunKey): Promise<boolean> {
    return (await runs.get(tenant_id, run_id))?.state === 'cancelled'
  }

  return {
    async start(principal, run) {
      assertOpen()
      const now = clock.now()
      const { tenant_id, run_id } = run
      await runs.create({
        ...{ ...run, state: 'queued', owner, seen_at: now, report: null },
        ...{ started_at: null, ended_at: null, error: null },
      })
      // Counted with this one in it: of several at the same time none is overlooked.
      await assertRoom(principal).catch(async (error) => {
        await runs.delete({ tenant_id, run_id })
        throw error
      })
      launch(principal, run)
    },

    async resume(principal, { tenant_id, run_id }) {
      assertOpen()
      const key = { tenant_id, run_id }
      const now = clock.now()
      if (!(await runs.take(key, { owner, now, since: now - deadMs })))
        throw new AppError('conflict', 'Only a run that was interrupted can be resumed.')
      await assertRoom(principal).catch(async (error) => {
        await runs.end(key, { state: 'interrupted', ended_at: now, error: null })
        throw error
      })
      launch(principal, key)
    },

    async cancel({ tenant_id, run_id }) {
      const key = { tenant_id, run_id }
      const end = { state: 'cancelled', ended_at: clock.now(), error: null } as const
      const isEnded = await runs.end(key, end)
      const here = local.get(nameOf(key))
      here?.stop.abort('cancelled' satisfies StopReason)
      await here?.ended
      return isEnded
    },

    async stop() {
      isStopping = true
      for (const { stop } of local.values()) stop.abort('stopping' satisfies StopReason)
      await Promise.all([...local.values()].map(({ ended }) => ended))
    },
  }
}

const nameOf = ({ tenant_id, run_id }: EvaluationRunKey) => `${tenant_id}/${run_id}`

const failed = { code: 'internal', message: 'It failed: see the log of the server.' }
const refused = {
  code: 'unauthenticated',
  message: 'Whoever began it may not ask any more: the user or the key has lost its rights.',
}

function endFor(
  reason: StopReason | undefined,
  error: unknown,
): Pick<EvaluationEnd, 'state' | 'error'> {
  if (reason === 'refused') return { state: 'error', error: refused }
  if (reason === 'cancelled') return { state: 'cancelled', error: null }
  if (reason !== undefined) return { state: 'interrupted', error: null }
  return error === undefined ? { state: 'done', error: null } : { state: 'error', error: failed }
}
