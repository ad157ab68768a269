import type { EvaluationState } from '@dataagent/schema'
import type { EvaluationRunRow } from '../ports/index.ts'

/** How often a process says that it carries out a run, and learns whether it still shall. */
export const beatMs = 1_000
/** After how long without that it is taken for dead. */
export const deadMs = 20_000

/** A run whose process is dead is interrupted, whatever it was when that died. */
export function stateOf(
  { state, seen_at }: Pick<EvaluationRunRow, 'state' | 'seen_at'>,
  now: number,
): EvaluationState {
  const isDead = isOpen(state) && seen_at < now - deadMs
  return isDead ? 'interrupted' : state
}

export function isOpen(state: EvaluationState): boolean {
  return state === 'queued' || state === 'running'
}
