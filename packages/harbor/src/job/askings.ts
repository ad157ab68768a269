import type { Clock } from '@dataagent/guard'
import type { Asker, Outcome } from '../contract.ts'

export interface AskingsOptions {
  asker: Asker
  clock: Clock
  /** Cancels all that is under way. */
  signal: AbortSignal
}

/** What came of one asking, its times since it was planned. */
export interface Asked {
  outcome: Outcome
  started_at: number
  late_ms: number
  timedOut: boolean
}

export interface Askings {
  readonly underWay: number
  /**
   * An answer that comes more than `maxMs` after the planned time is too late. Who has waited so
   * long before they could ask does not; who has asked is given the whole time, so that those
   * before them do not make it pointless.
   */
  ask(question: string, planned: number, maxMs: number): Promise<Asked>
}

export function createAskings({ asker, clock, signal }: AskingsOptions): Askings {
  // One listener for all: a signal with a thousand of them is slow.
  const running = new Set<AbortController>()
  signal.addEventListener('abort', () => {
    for (const controller of running) controller.abort()
  })

  async function within(
    question: string,
    ms: number,
  ): Promise<{ outcome: Outcome; isLate: boolean }> {
    const controller = new AbortController()
    let isLate = false
    const cancel = clock.after(ms, () => {
      isLate = true
      controller.abort()
    })
    running.add(controller)
    if (signal.aborted) controller.abort()
    try {
      return { outcome: await asker.ask(question, { signal: controller.signal }), isLate }
    } finally {
      cancel()
      running.delete(controller)
    }
  }

  return {
    get underWay() {
      return running.size
    },
    async ask(question, planned, maxMs) {
      const started_at = clock.now()
      const late_ms = Math.max(0, clock.monotonic() - planned)
      if (late_ms >= maxMs)
        return { outcome: notBegun(late_ms), started_at, late_ms, timedOut: true }
      const { outcome, isLate } = await within(question, maxMs)
      // How long it takes to cancel it is not what a user waits.
      const total_ms = isLate ? maxMs : outcome.total_ms
      const counted = sincePlanned({ ...outcome, total_ms }, late_ms)
      const timedOut = isLate || counted.total_ms > maxMs
      return { outcome: counted, started_at, late_ms, timedOut }
    },
  }
}

function sincePlanned(outcome: Outcome, late_ms: number): Outcome {
  const { first_event_ms, first_text_ms, total_ms } = outcome
  return {
    ...outcome,
    first_event_ms: first_event_ms === null ? null : first_event_ms + late_ms,
    first_text_ms: first_text_ms === null ? null : first_text_ms + late_ms,
    total_ms: total_ms + late_ms,
  }
}

function notBegun(late_ms: number): Outcome {
  const message = 'It waited for earlier ones until its time was over.'
  return {
    ...{ session_id: null, answer: '', isDenied: false, usage: null, tools: [], tables: [] },
    error: { code: 'not_begun', message },
    ...{ first_event_ms: null, first_text_ms: null, total_ms: late_ms },
  }
}
