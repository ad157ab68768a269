import type { AgentRow } from '../ports/index.ts'

/** The agent that every tenant has from the start. */
export const builtInId = 'default'

/** It, unless a row of its id replaces it. */
export function builtInAgent(tenant_id: string): AgentRow {
  return {
    tenant_id,
    assistant_id: builtInId,
    name: 'DataAgent',
    description: 'Answers questions, works with files and uses the tools that it is given.',
    model: null,
    system_prompt: null,
    enable_memory: true,
    enable_skills: true,
    enable_shell: false,
    auto_approve: false,
    sandbox_type: null,
    tool_mode: 'auto',
    tool_budget_tokens: null,
    on_reject: 'end',
    max_turns: 50,
    enabled: true,
    created_at: 0,
    updated_at: 0,
  }
}
