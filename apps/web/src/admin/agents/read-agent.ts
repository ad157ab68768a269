import type { AgentDefinition, AgentDetails, AgentUpdate } from '@dataagent/schema'

/** An agent as its form holds it: numbers and what may be missing as text. */
export interface AgentFields
  extends Omit<
    AgentDefinition,
    'model' | 'system_prompt' | 'sandbox_type' | 'tool_budget_tokens' | 'max_turns'
  > {
  model: string
  system_prompt: string
  sandbox_type: string
  tool_budget_tokens: string
  max_turns: string
}

export const newAgent: AgentFields = {
  ...{ assistant_id: '', name: '', description: '', model: '', system_prompt: '' },
  ...{ enable_memory: true, enable_skills: true, enable_shell: false, auto_approve: false },
  ...{ sandbox_type: '', tool_mode: 'auto', tool_budget_tokens: '' },
  ...{ on_reject: 'end', max_turns: '50', enabled: true },
}

export function toFields(agent: AgentDetails): AgentFields {
  const { created_at: _created, updated_at: _updated, ...settings } = agent
  return {
    ...settings,
    model: agent.model ?? '',
    system_prompt: agent.system_prompt ?? '',
    sandbox_type: agent.sandbox_type ?? '',
    tool_budget_tokens: agent.tool_budget_tokens === null ? '' : String(agent.tool_budget_tokens),
    max_turns: String(agent.max_turns),
  }
}

/** The agent that the form describes; what is empty is as the installation says. */
export function readAgent(fields: AgentFields): AgentDefinition {
  const { model, system_prompt, sandbox_type, tool_budget_tokens, max_turns } = fields
  return {
    ...fields,
    model: orNull(model),
    system_prompt: orNull(system_prompt),
    sandbox_type: orNull(sandbox_type),
    tool_budget_tokens: orNull(tool_budget_tokens) === null ? null : Number(tool_budget_tokens),
    max_turns: Number(max_turns),
  }
}

/** What the form changes of an agent: somebody else may have changed the rest meanwhile. */
export function changesOf(before: AgentFields, now: AgentFields): AgentUpdate {
  const fields = Object.entries(readAgent(now))
  return Object.fromEntries(
    fields.filter(([name]) => {
      const field = name as keyof AgentFields
      return before[field] !== now[field]
    }),
  )
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
