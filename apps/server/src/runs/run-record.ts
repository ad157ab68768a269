import { isKnownEvent, type SentEvent } from '@dataagent/schema'
import type { RunEnd, RunUsage } from '../ports/index.ts'

/** What is known of a run from the events that it has sent. */
export interface RunRecord {
  /** Whether it has come to its end; a run that was left to another process has not. */
  readonly isOver: boolean
  take(event: SentEvent): void
  toEnd(ended_at: number): RunEnd
}

export function createRunRecord(): RunRecord {
  const usage: RunUsage = {
    model: null,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_tokens: 0,
    cost_micros: 0,
  }
  let error_code: string | null = null
  let end: 'done' | 'cancelled' | undefined

  function take(event: SentEvent): void {
    if (!isKnownEvent(event)) return
    if (event.event_type === 'usage') {
      usage.model = event.model
      usage.prompt_tokens += event.prompt_tokens
      usage.completion_tokens += event.completion_tokens
      usage.cached_tokens += event.cached_tokens ?? 0
      usage.cost_micros += Math.round((event.cost ?? 0) * 1_000_000)
    }
    if (event.event_type === 'error') error_code = event.error_code ?? 'internal'
    if (event.event_type === 'done') end = event.cancelled ? 'cancelled' : 'done'
  }

  return {
    get isOver() {
      return end !== undefined
    },
    take,
    toEnd(ended_at) {
      const isCancelled = end === 'cancelled'
      const status = isCancelled ? 'cancelled' : error_code === null ? 'done' : 'error'
      return { ...usage, status, ended_at, error_code: status === 'error' ? error_code : null }
    },
  }
}
