import type { OwnToolContext, RunState } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { BuildToolPrompt, Intent, IntentRecogniser } from '../intent/index.ts'
import { createConversation } from './conversation.ts'
import { converse } from './converse.ts'
import type { PreparedAgent, Run } from './run.ts'
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

/** The runs under way, so that a `task` call finds the run that it belongs to. */
const callers = new WeakMap<RunState, Caller>()

/** Lets `task` calls of a run work as sub-agents of it. */
export function allowSubAgents(run: Run, means: SubAgentMeans): void {
  callers.set(run.state, { ...means, run })
}

/**
 * Works on a task with a conversation of its own and the caller's tools, rights and approvals;
 * gives its last words. What it reads that nobody vouches for, the caller has read too.
 */
export async function runSubAgent(prompt: string, context: OwnToolContext): Promise<string> {
  const caller = context.run && callers.get(context.run)
  if (!caller) throw new AppError('invalid_request', "a sub-agent works in an agent's run only")
  const sub = createSubRun(caller, context)
  sub.log.note({
    event_type: 'user_message',
    timestamp: sub.means.clock.now(),
    message_id: crypto.randomUUID(),
    content: prompt,
  })
  const end = await converse(sub)
  if (end.status === 'rejected') return 'A person rejected what the sub-agent wanted to do.'
  const words = sub.conversation.partialText ?? ''
  return end.status === 'too_many_turns' ? `${words}\n[stopped: too many turns]` : words
}

function createSubRun({ run, agent, recogniser, build }: Caller, context: OwnToolContext): Run {
  const { means, principal, session_id } = run
  const conversation = createConversation()
  // Its calls are others than its caller's, also where a model gives them the same ids.
  const run_id = `${run.run_id}/${context.call_id}`
  const state: RunState = { run_id, untrusted: run.state.untrusted }
  const parent_tool_call_id = context.tool_call_id ?? context.call_id
  const { clock } = means
  const log = createSubLog({ log: run.log, conversation, clock, parent_tool_call_id })
  const view = createToolView({
    ...{ hub: means.hub, agent, principal, session_id, state, conversation, recogniser, build },
  })
  const { signal } = context
  // What the caller's model writes is no wish of the user's.
  const intent: Intent = { type: 'normal' }
  const extra = { ...run.runtime.context, intent }
  const runtime = { ...run.runtime, signal, context: extra, parent_tool_call_id }
  return { ...run, agent, conversation, log, state, view, signal, runtime }
}
