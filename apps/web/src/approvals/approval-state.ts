import type { Approval } from '@dataagent/schema'
import type { Tone } from '../ui/badge.tsx'

export type AnswerState = 'allowed' | 'used' | 'rejected' | 'expired' | 'withdrawn'

/** What came of an approval; undefined while it waits. */
export function toAnswerState(approval: Approval): AnswerState | undefined {
  if (approval.status === 'pending') return undefined
  if (approval.via === 'expiry') return 'expired'
  if (approval.via === 'withdrawal') return 'withdrawn'
  if (approval.decision.type === 'reject') return 'rejected'
  return approval.used_at === null ? 'allowed' : 'used'
}

export const answerTones: Record<AnswerState, Tone> = {
  allowed: 'good',
  used: 'good',
  rejected: 'bad',
  expired: 'wait',
  withdrawn: 'plain',
}

/** The id a step away from `current`; without one the first, or the last. */
export function neighbour(
  ids: readonly string[],
  current: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at === -1) return step === 1 ? ids[0] : ids.at(-1)
  return ids[at + step] ?? current
}
