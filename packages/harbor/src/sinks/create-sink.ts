import { type Clock, systemClock, wait } from '@dataagent/guard'
import type { EvaluationReport } from '@dataagent/schema'
import type { QuestionSet } from '../contract.ts'
import { type Calls, createCalls, Fault } from './calls.ts'
import type { Asked, Service, Sink, SinkLimits, SinkOptions } from './contract.ts'

const defaultLimits: SinkLimits = {
  ...{ waiting: 10_000, batch: 50, requestMs: 10_000, pausesMs: [200, 800] },
  ...{ beginMs: 10_000, finishMs: 20_000 },
}

const mostWarnings = 20

/** What is refused so is refused the next time too. */
const lasting = new Set([401, 403, 501])

/** A sink of `service`, which is told trials one batch after the other. */
export function createSink(
  name: string,
  { egress, clock = systemClock, limits }: SinkOptions,
  createService: (calls: Calls) => Service,
): Sink {
  const { waiting, batch, beginMs, finishMs, ...asked } = { ...defaultLimits, ...limits }
  const deadline = new AbortController()
  const { signal } = deadline
  const service = createService(createCalls({ name, egress, clock, signal, ...asked }))
  const queue: Asked[] = []
  const warnings = new Set<string>()
  const counts = { sent: 0, dropped: 0, failed: 0 }
  let begin: (() => Promise<void>) | undefined
  let isBegun = false
  let isRefused = false
  let working: Promise<void> | undefined

  /** Does one thing there; a fault is a warning. */
  async function attempt(act: () => Promise<void>): Promise<boolean> {
    if (isRefused || signal.aborted) return false
    try {
      await act()
      return true
    } catch (error) {
      if (error instanceof Fault && lasting.has(error.status)) isRefused = true
      if (!signal.aborted) warn(error)
      return false
    }
  }

  function warn(error: unknown): void {
    const message = error instanceof Fault ? error.message : `${name}: ${toMessage(error)}`
    if (warnings.size < mostWarnings) warnings.add(message)
  }

  async function ensureBegun(): Promise<void> {
    if (begin && !isBegun) isBegun = await attempt(begin)
  }

  async function work(): Promise<void> {
    do {
      await ensureBegun()
      const some = queue.splice(0, batch)
      const isSent = isBegun && some.length > 0 && (await attempt(() => service.send(some)))
      counts[isSent ? 'sent' : 'failed'] += some.length
    } while (queue.length > 0)
    working = undefined
  }

  async function end(report: EvaluationReport): Promise<void> {
    await working
    if (isBegun) await attempt(() => service.end(report))
  }

  return {
    name,
    async begin(set: QuestionSet, run) {
      begin = () => service.begin(set, run)
      working = work()
      await within(clock, beginMs, working)
    },
    onTrial(question, trial) {
      queue.push({ question, trial })
      if (queue.length > waiting) {
        queue.shift()
        counts.dropped += 1
      }
      working ??= work()
    },
    async finish(report) {
      const ending = end(report)
      if (!(await within(clock, finishMs, ending))) {
        warnings.add(`${name}: not all could be sent within ${Math.round(finishMs / 1000)} s`)
        deadline.abort()
        await ending
      }
      if (counts.dropped > 0) warnings.add(`${name}: more trials waited than it could be sent`)
      return { name, place: service.place(), ...counts, warnings: [...warnings] }
    },
  }
}

/** Whether `work` ended in time. */
async function within(clock: Clock, ms: number, work: Promise<void>): Promise<boolean> {
  const late = new AbortController()
  const ended = work.then(() => true)
  const inTime = await Promise.race([ended, wait(clock, ms, late.signal).then(() => false)])
  late.abort()
  return inTime
}

/** What is not ours may say anything, a key too. */
function toMessage(error: unknown): string {
  return error instanceof Error ? `${error.name} while it was told` : 'a fault while it was told'
}
