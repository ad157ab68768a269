import type { ModelReply, RequestedCall } from '../middleware/index.ts'

/** The steps of a run. What they throw ends it. */
export interface LoopSteps {
  maxTurns: number
  /** Undefined: the run shall end without asking. */
  askModel(): Promise<ModelReply | undefined>
  runCalls(calls: readonly RequestedCall[]): Promise<'go_on' | 'rejected'>
}

export type LoopEnd = 'answered' | 'rejected' | 'too_many_turns'

/** Model, tools, model again, until it answers without a call. */
export async function loop({ maxTurns, askModel, runCalls }: LoopSteps): Promise<LoopEnd> {
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const reply = await askModel()
    if (reply === undefined || reply.calls.length === 0) return 'answered'
    if ((await runCalls(reply.calls)) === 'rejected') return 'rejected'
  }
  return 'too_many_turns'
}
