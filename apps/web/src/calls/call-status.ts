import type { ToolCallStatus } from '@dataagent/schema'
import type { Tone } from '../ui/badge.tsx'

/** Good, refused by someone or something, or failed. */
export const callTones: Record<ToolCallStatus, Tone> = {
  ok: 'good',
  error: 'bad',
  timeout: 'bad',
  denied: 'wait',
  invalid: 'bad',
  limited: 'wait',
  rejected: 'wait',
  unavailable: 'bad',
  cancelled: 'plain',
  unknown_outcome: 'bad',
  interrupted: 'bad',
}

/** Whether the call went wrong, and was not merely refused or stopped. */
export function isFault(status: ToolCallStatus): boolean {
  return callTones[status] === 'bad'
}
