import type { ToolCall } from '../call/index.ts'
import type { CallContext } from '../call-context.ts'
import type { Hub } from '../hub.ts'
import type { ToolOutcome } from '../outcome.ts'

/** A call that waits for a person. */
export interface AskedCall {
  approval_id: string
  outcome: Promise<ToolOutcome>
}

/** Makes a call and gives it as soon as a person is asked; rejects where nobody is. */
export async function askFor(hub: Hub, context: CallContext, call: ToolCall): Promise<AskedCall> {
  const asked = Promise.withResolvers<string>()
  const emit: CallContext['emit'] = (event) => {
    if (event.event_type === 'hitl_request') asked.resolve(event.approval_id)
  }
  const outcome = hub.callTool({ ...context, emit }, call)
  const unasked = outcome.then((ended) => {
    throw new Error(`Nobody was asked: ${JSON.stringify(ended)}`)
  })
  // Where a person is asked, how the call ends is the test's to look at.
  unasked.catch(() => {})
  return { approval_id: await Promise.race([asked.promise, unasked]), outcome }
}

export const yes = { type: 'approve', message: '' } as const
export const no = (message = '') => ({ type: 'reject', message }) as const
