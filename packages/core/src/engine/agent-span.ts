import type { Span, SpanOptions } from '@dataagent/hub'
import { toModelNames } from './model-names.ts'
import type { EngineMeans, PreparedAgent, Run, RunKind } from './run.ts'

export interface AgentSpanParts extends Pick<Run, 'principal' | 'session_id' | 'run_id'> {
  means: Pick<EngineMeans, 'tracer'>
  agent: Pick<PreparedAgent, 'assistant_id' | 'model'>
  parent: SpanOptions['parent']
  kind: RunKind
  /** Whether another process had begun with it. */
  isLeft: boolean
}

/** The span of a run, or of a sub-agent's work in one, under names of OpenTelemetry's. */
export function startAgentSpan(parts: AgentSpanParts): Span {
  const { means, agent, principal, session_id, run_id, parent, kind, isLeft } = parts
  const { assistant_id } = agent
  const { provider, model } = toModelNames(agent.model.name)
  return means.tracer.start(`invoke_agent ${assistant_id}`, {
    parent,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': assistant_id,
      'gen_ai.agent.name': assistant_id,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.conversation.id': session_id,
      'session.id': session_id,
      'user.id': principal.user_id ?? undefined,
      'dataagent.tenant_id': principal.tenant_id,
      'dataagent.run_id': run_id,
      'dataagent.run_kind': kind,
      'dataagent.resumed': isLeft || undefined,
    },
  })
}

/** What the model calls of the run came to, and how it ended: a word of `done` and its likes. */
export function setAgentEnd({ span, usage }: Pick<Run, 'span' | 'usage'>, status: string): void {
  span.set({
    'gen_ai.response.model': toModelNames(usage.model).model,
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_tokens || undefined,
    'dataagent.status': status,
  })
}
