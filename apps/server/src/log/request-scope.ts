import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@dataagent/hub'

/** The part of a span by which others find it. */
export type ScopeSpan = Pick<Span, 'trace_id' | 'span_id' | 'context'> & {
  /** The traceparent that the span itself came from. */
  from?: string | undefined
}

interface Scope {
  request_id: string | undefined
  span: ScopeSpan | undefined
}

const scope = new AsyncLocalStorage<Scope>()

/** Runs `work`; what it logs, through whichever logger, carries this request id. */
export function inRequest<T>(request_id: string, work: () => T): T {
  return scope.run({ request_id, span: undefined }, work)
}

/** Runs `work` as a part of this span, too: what it logs carries its ids. */
export function inSpan<T>(span: ScopeSpan | undefined, work: () => T): T {
  if (span === undefined) return work()
  return scope.run({ request_id: currentRequestId(), span }, work)
}

/** The same for what goes on with a trace that was begun elsewhere, also by another process. */
export function inTrace<T>(traceparent: string | null, work: () => T): T {
  const [, trace_id, span_id] = traceparent?.split('-') ?? []
  if (traceparent === null || trace_id === undefined || span_id === undefined) return work()
  return inSpan({ trace_id, span_id, context: { traceparent } }, work)
}

export function currentRequestId(): string | undefined {
  return scope.getStore()?.request_id
}

export function currentSpan(): ScopeSpan | undefined {
  return scope.getStore()?.span
}
