import type { ErrorCode } from '@dataagent/schema'
import type { RefusedStatus, ToolFault } from '../outcome.ts'
import type { Ending, Underway } from './underway.ts'

type FaultDetails = Partial<
  Pick<ToolFault, 'errors' | 'approval_id' | 'on_reject' | 'retry_after_ms' | 'rpc'>
>

interface FaultSpec extends FaultDetails {
  code: ErrorCode
  message: string
  advice: ToolFault['advice']
}

/** Ends a call without a result. */
export function refuse(
  underway: Underway,
  status: RefusedStatus | 'failed',
  { code, message, advice, ...details }: FaultSpec,
): Ending {
  const tool_name = underway.record.tool_name
  return { status, error: { code, message, tool_name, advice, ...details } }
}

/** A call that its own signal ended. */
export function cancelled(underway: Underway): Ending {
  return refuse(underway, 'cancelled', {
    code: 'cancelled',
    message: 'The call was cancelled.',
    advice: 'give_up',
  })
}
