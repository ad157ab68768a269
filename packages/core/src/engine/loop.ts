import type { RequestedCall } from '../middleware/index.ts'

/** What comes next: calls to run, and whether the model is asked again even where there is none. */
export interface Step {
  readonly calls: readonly RequestedCall[]
  readonly asksAgain: boolean
}

/** The steps of a run. What they throw ends it. */
export interface LoopSteps {
  maxTurns: number
  /** What is run before the model is asked for the first time. */
  first: readonly RequestedCall[]
  /** Undefined: the run shall end. */
  askModel(): Promise<Step | undefined>
  runCalls(calls: readonly RequestedCall[]): Promise<'go_on' | 'rejected'>
}

export type LoopEnd = 'answered' | 'rejected' | 'too_many_turns'

/** Model, tools, model again, until it answers without a call. */
export async function loop({ maxTurns, first, askModel, runCalls }: LoopSteps): Promise<LoopEnd> {
  if (first.length > 0 && (await runCalls(first)) === 'rejected') return 'rejected'
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const step = await askModel()
    if (step === undefined) return 'answered'
    const { calls, asksAgain } = step
    if (calls.length === 0 && !asksAgain) return 'answered'
    if (calls.length > 0 && (await runCalls(calls)) === 'rejected') return 'rejected'
  }
  return 'too_many_turns'
}
