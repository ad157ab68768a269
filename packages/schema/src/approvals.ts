import { z } from 'zod'
import { jsonObject } from './json.ts'
import { openObject } from './open-object.ts'
import { id, timestamp } from './scalars.ts'

/** What an agent wants to do and asks leave for. */
export const actionRequestSchema = openObject({
  name: z.string(),
  args: jsonObject,
  description: z.string(),
})
export type ActionRequest = z.infer<typeof actionRequestSchema>

/** What was decided; `message` is the person's words, empty where there are none. */
export const decisionSchema = openObject({
  type: z.enum(['approve', 'reject']),
  message: z.string(),
})
export type Decision = z.infer<typeof decisionSchema>

/**
 * How a decision came about: a person, a standing policy, the time limit, or the end of the run
 * that asked.
 */
export const decidedViaSchema = z.enum(['person', 'policy', 'expiry', 'withdrawal'])

const asked = {
  approval_id: id,
  tenant_id: id,
  session_id: id,
  user_id: id,
  tool_call_id: z.string(),
  action_request: actionRequestSchema,
  created_at: timestamp,
  expires_at: timestamp,
}

/** An approval as the inbox lists it. */
export const approvalSchema = z.discriminatedUnion('status', [
  z.object({ ...asked, status: z.literal('pending') }),
  z.object({
    ...asked,
    status: z.literal('decided'),
    decision: decisionSchema,
    via: decidedViaSchema,
    /** The person, or null where nobody decided. */
    decided_by: id.nullable(),
    decided_at: timestamp,
  }),
])
export type Approval = z.infer<typeof approvalSchema>
