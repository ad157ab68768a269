import { z } from 'zod'
import { id, name, wholeNumber } from './scalars.ts'

/** How MCP tools enter an agent's prompt. */
const toolModeSchema = z.enum(['auto', 'intent', 'always', 'search'])

/** An agent as an administrator sets it up; what is null is as the installation says. */
export const agentDefinitionSchema = z.object({
  assistant_id: id,
  name,
  description: z.string().max(2000),
  model: z.string().max(512).nullable().meta({
    description: '`provider:model`, several separated by commas; null is the default model',
  }),
  system_prompt: z.string().max(100_000).nullable(),
  enable_memory: z.boolean(),
  enable_skills: z.boolean(),
  enable_shell: z.boolean(),
  auto_approve: z.boolean(),
  sandbox_type: z.string().max(64).nullable(),
  tool_mode: toolModeSchema,
  tool_budget_tokens: wholeNumber.max(1_000_000).nullable().meta({
    description: 'Tokens of MCP tools up to which `auto` tells all of them; null is 2,000',
  }),
  on_reject: z.enum(['end', 'tell']),
  max_turns: wholeNumber.min(1).max(1000),
  enabled: z.boolean(),
})
export type AgentDefinition = z.infer<typeof agentDefinitionSchema>
