import { z } from 'zod'
import { agentDefinitionSchema } from '../agents.ts'
import { id, timestamp } from '../scalars.ts'
import { queryFlag } from './page.ts'

/** GET /api/v1/agents; `all` also gives an administrator those that are switched off. */
export const agentsQuerySchema = z.strictObject({ all: queryFlag.exactOptional() })
export type AgentsQuery = z.infer<typeof agentsQuerySchema>

/** An agent that the caller may chat with, where it is `enabled`. */
export const agentInfoSchema = z.object({
  assistant_id: id,
  name: z.string(),
  description: z.string(),
  model: z.string(),
  enabled: z.boolean(),
})
export type AgentInfo = z.infer<typeof agentInfoSchema>

export const agentListSchema = z.object({ agents: z.array(agentInfoSchema) })
export type AgentList = z.infer<typeof agentListSchema>

/** GET /api/v1/agents/{assistant_id}: as an administrator has set it up. */
export const agentDetailsSchema = agentDefinitionSchema.extend({
  created_at: timestamp,
  updated_at: timestamp,
})
export type AgentDetails = z.infer<typeof agentDetailsSchema>

const { shape } = agentDefinitionSchema

/** POST /api/v1/agents */
export const agentCreateSchema = z.strictObject({
  assistant_id: shape.assistant_id,
  name: shape.name,
  description: shape.description.default(''),
  model: shape.model.default(null),
  system_prompt: shape.system_prompt.default(null),
  enable_memory: shape.enable_memory.default(true),
  enable_skills: shape.enable_skills.default(true),
  enable_shell: shape.enable_shell.default(false),
  auto_approve: shape.auto_approve.default(false),
  sandbox_type: shape.sandbox_type.default(null),
  tool_mode: shape.tool_mode.default('auto'),
  tool_budget_tokens: shape.tool_budget_tokens.default(null),
  on_reject: shape.on_reject.default('end'),
  max_turns: shape.max_turns.default(50),
  enabled: shape.enabled.default(true),
})
export type AgentCreate = z.infer<typeof agentCreateSchema>
export type AgentCreateInput = z.input<typeof agentCreateSchema>

/** PUT /api/v1/agents/{assistant_id}: what is absent stays as it is. */
export const agentUpdateSchema = z.strictObject({
  name: shape.name.exactOptional(),
  description: shape.description.exactOptional(),
  model: shape.model.exactOptional(),
  system_prompt: shape.system_prompt.exactOptional(),
  enable_memory: shape.enable_memory.exactOptional(),
  enable_skills: shape.enable_skills.exactOptional(),
  enable_shell: shape.enable_shell.exactOptional(),
  auto_approve: shape.auto_approve.exactOptional(),
  sandbox_type: shape.sandbox_type.exactOptional(),
  tool_mode: shape.tool_mode.exactOptional(),
  tool_budget_tokens: shape.tool_budget_tokens.exactOptional(),
  on_reject: shape.on_reject.exactOptional(),
  max_turns: shape.max_turns.exactOptional(),
  enabled: shape.enabled.exactOptional(),
})
export type AgentUpdate = z.infer<typeof agentUpdateSchema>
