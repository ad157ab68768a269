import { z } from 'zod'
import { jsonObject } from './json.ts'
import { openObject } from './open-object.ts'
import { id, timestamp, wholeNumber } from './scalars.ts'

/** What an agent wants to do and asks leave for. */
export const actionRequestSchema = openObject({
  name: z.string(),
  args: jsonObject,
  description: z.string(),
})
export type ActionRequest = z.infer<typeof actionRequestSchema>

/** How far an approval reaches: this call, the tool or its server in this session, or for good. */
const approvalScopeSchema = z.enum(['once', 'tool', 'server', 'always'])
export type ApprovalScope = z.infer<typeof approvalScopeSchema>

/** What was decided; `message` is the person's words, empty where there are none. */
export const decisionSchema = openObject({
  type: z.enum(['approve', 'reject']),
  message: z.string(),
  args: jsonObject.exactOptional().meta({
    description: 'Of an approval: the arguments to run it with, in place of those asked for',
  }),
  scope: approvalScopeSchema.exactOptional().meta({
    description: 'Of an approval: how far it reaches; `once` where nothing is said',
  }),
  on_reject: z.enum(['end', 'tell']).exactOptional().meta({
    description: 'Of a rejection: ends the run, or tells the model the message and goes on',
  }),
})
export type Decision = z.infer<typeof decisionSchema>

/**
 * How a decision came about: a person, a standing policy, the time limit, or the end of the run
 * that asked.
 */
export const decidedViaSchema = z.enum(['person', 'expiry', 'withdrawal'])

const asked = {
  approval_id: id,
  tenant_id: id,
  /** Null where the call belongs to no session, as one through the gateway. */
  session_id: id.nullable(),
  /** The person whose call it is, or null where a machine calls for nobody in particular. */
  user_id: id.nullable(),
  agent_id: id.nullable(),
  /** To whom it was handed over. */
  assignee: id.nullable(),
  tool_call_id: z.string(),
  server_id: id,
  tool_name: z.string(),
  action_request: actionRequestSchema,
  /** Why it is asked, in words. */
  reason: z.string(),
  /** How often: once, and once more for each time that it was asked again. */
  asked: wholeNumber,
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
    /** When the approved call was begun; null as long as it was not. */
    used_at: timestamp.nullable(),
  }),
])
export type Approval = z.infer<typeof approvalSchema>
