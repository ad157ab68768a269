import type { ContextWeight } from '@dataagent/schema'
import type { BuildToolPrompt, IntentRecogniser } from '../intent/index.ts'
import type { Runtime } from '../middleware/index.ts'
import { estimateMessages, estimateTokens } from '../models/index.ts'
import type { ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import { estimateTools } from './estimate-tools.ts'
import type { EngineMeans, PreparedAgent } from './run.ts'
import type { EngineRunState } from './run-state.ts'
import { createToolView } from './tool-view.ts'

export interface WeighOptions {
  hub: EngineMeans['hub']
  agent: PreparedAgent
  session_id: string
  context: ExecuteContext
  conversation: Conversation
  recogniser: IntentRecogniser
  build: BuildToolPrompt
}

/** What the next call of the model would read; tools as for the last message. */
export async function weighContext(options: WeighOptions): Promise<ContextWeight> {
  const { hub, agent, session_id, context, conversation, recogniser, build } = options
  const { assistant_id, systemPrompt, model } = agent
  const principal = { ...context.principal, agent_id: assistant_id }
  const { without, extra, signal = new AbortController().signal } = context
  const state: EngineRunState = { run_id: '', untrusted: new Set(conversation.untrusted), without }
  const view = createToolView({
    ...{ hub, agent, principal, session_id, state, conversation, recogniser, build },
    hasPendingApproval: false,
  })
  const runtime: Runtime = {
    ...{ session_id, run_id: '', assistant_id, principal, signal },
    context: { ...extra, intent: view.match.intent },
    emit() {},
    addUsage() {},
  }
  const added = await agent.composed.systemPrompt(runtime)
  const prompt = view.prompt()
  return {
    model: model.name,
    window: model.contextWindow,
    system: estimateTokens(systemPrompt) + estimateTokens(added),
    tools: estimateTokens(prompt.text) + estimateTools(prompt.tools),
    history: estimateMessages(conversation.messages),
    messages: conversation.messages.length,
  }
}
