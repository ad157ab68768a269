import type { OwnToolContext } from '@dataagent/hub'
import { AppError, isAppError } from '@dataagent/schema'
import type { BuildToolPrompt, Intent, IntentRecogniser } from '../intent/index.ts'
import { startAgentSpan } from './agent-span.ts'
import { createConversation } from './conversation.ts'
import { converse } from './converse.ts'
import type { PreparedAgent, Run } from './run.ts'
import type { EngineRunState } from './run-state.ts'
import { createSubLog } from './sub-log.ts'
import { createToolView } from './tool-view.ts'

export interface SubAgentMeans {
  agent: PreparedAgent
  recogniser: IntentRecogniser
  build: BuildToolPrompt
}

interface Caller extends SubAgentMeans {
  run: Run
}

/** Lets `task` calls of a run work as sub-agents of it. */
export function allowSubAgents(run: Run, means: SubAgentMeans): void {
  run.state.runTask = (prompt, context) => runTask({ ...means, run }, prompt, context)
}

/**
 * Works on a task with a conversation of its own and the caller's tools, rights and approvals;
 * gives its last words. What it reads that nobody vouches for, the caller has read too.
 */
export async function runSubAgent(prompt: string, context: OwnToolContext): Promise<string> {
  const run: EngineRunState | undefined = context.run
  if (run?.runTask) return run.runTask(prompt, context)
  throw new AppError('invalid_request', "a sub-agent works in an agent's run only")
}

async function runTask(caller: Caller, prompt: string, context: OwnToolContext): Promise<string> {
  const sub = createSubRun(caller, context)
  sub.log.note({
    event_type: 'user_message',
    timestamp: sub.means.clock.now(),
    message_id: crypto.randomUUID(),
    content: prompt,
  })
  const end = await converseInSpan(sub)
  if (end.status === 'rejected') return 'A person rejected what the sub-agent wanted to do.'
  const words = sub.conversation.partialText ?? ''
  return end.status === 'too_many_turns' ? `${words}\n[stopped: too many turns]` : words
}

/** Its caller's run has the sums of what it takes. */
async function converseInSpan(sub: Run) {
  try {
    const end = await converse(sub)
    sub.span.set({ 'dataagent.status': end.status })
    sub.span.end()
    return end
  } catch (error) {
    const type = isAppError(error) ? error.code : 'internal'
    sub.span.end({ error: { type, message: 'the sub-agent failed' } })
    throw error
  }
}

/** A run within another, for the call whose context it is; its span is the caller's to end. */
export function createSubRun(
  { run, agent, recogniser, build }: Caller,
  context: OwnToolContext,
): Run {
  const { means, principal, session_id } = run
  const conversation = createConversation()
  // Its calls are others than its caller's, also where a model gives them the same ids.
  const run_id = `${run.run_id}/${context.call_id}`
  const { untrusted, without } = run.state
  const state: EngineRunState = { run_id, untrusted, without }
  const parent_tool_call_id = context.tool_call_id ?? context.call_id
  const { clock } = means
  const log = createSubLog({ log: run.log, conversation, clock, parent_tool_call_id })
  const view = createToolView({
    ...{ hub: means.hub, agent, principal, session_id, state, conversation, recogniser, build },
    hasPendingApproval: false,
  })
  const { signal } = context
  // What the caller's model writes is no wish of the user's.
  const intent: Intent = { type: 'normal' }
  const extra = { ...run.runtime.context, intent }
  const { runtime: caller } = run
  const runtime = { ...caller, caller, signal, context: extra, parent_tool_call_id }
  const span = startAgentSpan({
    ...{ means, agent, principal, session_id, run_id, kind: 'turn', isLeft: false },
    parent: context.trace,
  })
  return { ...run, agent, conversation, log, state, view, signal, runtime, span }
}
