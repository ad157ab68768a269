import { randomUUID } from 'node:crypto'
import type { AgentExecutor, ExecuteContext } from '@dataagent/core'
import type { Clock } from '@dataagent/guard'
import { type ExecutionEvent, type SentEvent, toErrorEvent } from '@dataagent/schema'

type Events = AsyncIterable<SentEvent & ExecutionEvent>

/**
 * An executor that runs each turn with the one that `find` gives then: who holds it follows what
 * becomes of the agent. Where there is none any more, the turn is an error that was not logged.
 */
export function createCurrentExecutor(find: () => AgentExecutor, clock: Clock): AgentExecutor {
  function run(
    session_id: string,
    context: ExecuteContext,
    begin: (executor: AgentExecutor) => Events,
  ): Events {
    try {
      return begin(find())
    } catch (error) {
      return refuse(error, { session_id, run_id: context.run_id ?? randomUUID() })
    }
  }

  async function* refuse(error: unknown, at: { session_id: string; run_id: string }) {
    const event = toErrorEvent(error, { timestamp: clock.now(), reference: at.run_id })
    yield { ...event, ...at, seq: 0 }
  }

  return {
    execute: (input, session_id, context) =>
      run(session_id, context, (executor) => executor.execute(input, session_id, context)),
    resume: (session_id, context) =>
      run(session_id, context, (executor) => executor.resume(session_id, context)),
    compact: (session_id, context) =>
      run(session_id, context, (executor) => executor.compact(session_id, context)),
    weigh: async (session_id, context) => find().weigh(session_id, context),
  }
}
