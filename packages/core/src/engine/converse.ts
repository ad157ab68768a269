import type { SummaryEvent } from '@dataagent/schema'
import { type LoopEnd, loop } from './loop.ts'
import { createTurns } from './model-turn.ts'
import type { Run } from './run.ts'
import { runCalls, runOpenCalls } from './run-calls.ts'

export type ConverseEnd = { status: LoopEnd } | { status: 'cancelled' }

/** Without an event there was nothing to shorten. */
export interface CompactEnd {
  status: 'compacted'
  event: SummaryEvent | undefined
}

/** From what the conversation holds to the model's answer, with hooks and tools. */
export async function converse(run: Run): Promise<ConverseEnd> {
  const { agent, conversation } = run
  const extra = await agent.composed.systemPrompt(run.runtime)
  const { systemPrompt } = agent
  const turns = createTurns(run, extra === '' ? systemPrompt : `${systemPrompt}\n\n${extra}`)
  const begun = await turns.beforeAgent()
  if (begun === undefined) return { status: 'answered' }
  const left = conversation.openCalls
  const isRejected = left.length > 0 && (await runOpenCalls(run, left, turns.state)) === 'rejected'
  const status = isRejected
    ? 'rejected'
    : await loop({
        maxTurns: agent.maxTurns,
        first: begun.calls,
        async askModel() {
          await run.waitForPlace?.(run.signal)
          return turns.askModel()
        },
        runCalls: (calls) => runCalls(run, calls, turns.state),
      })
  await turns.afterAgent()
  return run.signal.aborted ? { status: 'cancelled' } : { status }
}
