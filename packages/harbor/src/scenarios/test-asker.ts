import { type Clock, systemClock } from '@dataagent/guard'
import { questionSchema } from '@dataagent/schema'
import type { Asker, JobOptions, Outcome, QuestionSet } from '../contract.ts'

export interface TimedAskerOptions {
  /** How long the n-th asking (from 0) takes, in milliseconds. */
  tookMs(n: number): number
  clock?: Clock
  answer?(question: string): string
}

export interface TimedAsker extends Asker {
  readonly asked: readonly string[]
  /** When each of them was begun and answered, by the monotonic clock. */
  readonly moments: readonly { begun: number; ended: number }[]
  /** How many were under way at once, at the most. */
  readonly most: number
}

/** Answers after times that are known beforehand; measures as the real one does. */
export function createTimedAsker(options: TimedAskerOptions): TimedAsker {
  const { tookMs, clock = systemClock, answer = () => 'It is 42.' } = options
  const asked: string[] = []
  const moments: { begun: number; ended: number }[] = []
  let underWay = 0
  let most = 0

  return {
    transport: 'local',
    asked,
    moments,
    get most() {
      return most
    },
    async ask(question, { signal }) {
      const begun = clock.monotonic()
      const number = asked.push(question) - 1
      underWay += 1
      most = Math.max(most, underWay)
      const isWhole = await elapse(clock, tookMs(number), signal)
      underWay -= 1
      const ended = clock.monotonic()
      moments[number] = { begun, ended }
      const total_ms = ended - begun
      const text = isWhole ? answer(question) : ''
      const error = isWhole ? null : { code: 'cancelled', message: 'It was stopped.' }
      return outcome({ answer: text, error, total_ms, first_event_ms: isWhole ? total_ms : null })
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** Whether the time has passed before the signal was aborted. */
function elapse(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const cancel = clock.after(ms, () => resolve(true))
  const stop = () => {
    cancel()
    resolve(false)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return promise
}

export function outcome(fields: Partial<Outcome>): Outcome {
  return {
    ...{ session_id: null, answer: '', error: null, isDenied: false, total_ms: 0 },
    ...{ first_event_ms: null, first_text_ms: null, tools: [], tables: [], usage: null },
    ...fields,
  }
}

/** So many questions, q1, q2 …, whose answer has a 42. */
export function testSet(count: number): QuestionSet {
  const questions = Array.from({ length: count }, (_, at) =>
    questionSchema.parse({
      ...{ question_id: `q${at + 1}`, question: `Question ${at + 1}?` },
      expected_keywords: ['42'],
    }),
  )
  return { name: 'test', questions }
}

export const closedLoad = {
  ...{ mode: 'closed' as const, concurrency: 1, ramp_seconds: 0, warm_up_seconds: 0 },
  duration_seconds: null,
}
export const rateLoad = { ...closedLoad, mode: 'rate' as const, rate: 100, concurrency: 10_000 }

/** The options of a job, with what a test does not care about. */
export function jobOf(asker: Asker, options: Partial<JobOptions> = {}): JobOptions {
  const { transport } = asker
  return {
    ...{ run_id: 'run-1', set: testSet(1), asker, load: closedLoad, attempts: 1 },
    max_seconds: 60,
    target: { url: 'http://localhost', transport, assistant_id: null, server_version: null },
    ...options,
  }
}
