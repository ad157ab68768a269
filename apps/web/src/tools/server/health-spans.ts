import type { ServerHealthChange } from '@dataagent/schema'

export type SpanState = 'connected' | 'connecting' | 'error' | 'idle'

/** From `from` to `to` a connection was in one state. */
interface HealthSpan {
  state: SpanState
  from: number
  to: number
}

export interface Window {
  from: number
  to: number
}

export function stateOf({
  status,
  fault,
}: Pick<ServerHealthChange, 'status' | 'fault'>): SpanState {
  if (status === 'running') return 'connected'
  if (status === 'error') return 'error'
  return fault === 'connecting' ? 'connecting' : 'idle'
}

/**
 * What is known of a window, oldest first, of changes that are newest first. Before the first of
 * them nothing is known, and nothing is said.
 */
export function toSpans(
  changes: readonly ServerHealthChange[],
  { from, to }: Window,
): HealthSpan[] {
  return changes
    .map((change, i) => ({
      state: stateOf(change),
      from: Math.max(from, change.at),
      to: Math.min(to, changes[i - 1]?.at ?? to),
    }))
    .filter((span) => span.to > span.from)
    .reverse()
}

/** How long each state lasted, longest first. */
export function sumSpans(spans: readonly HealthSpan[]): [SpanState, number][] {
  const sums = new Map<SpanState, number>()
  for (const { state, from, to } of spans) sums.set(state, (sums.get(state) ?? 0) + to - from)
  return [...sums].sort(([, one], [, two]) => two - one)
}
