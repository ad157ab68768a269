import { z } from 'zod'
import { id } from '../scalars.ts'

/** An agent that the caller may chat with. */
export const agentInfoSchema = z.object({
  assistant_id: id,
  name: z.string(),
  description: z.string(),
  model: z.string(),
})
export type AgentInfo = z.infer<typeof agentInfoSchema>

/** GET /api/v1/agents */
export const agentListSchema = z.object({ agents: z.array(agentInfoSchema) })
export type AgentList = z.infer<typeof agentListSchema>
