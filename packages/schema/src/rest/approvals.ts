import { z } from 'zod'
import { approvalSchema, decisionSchema } from '../approvals.ts'
import { id } from '../scalars.ts'
import { openPageFields, pageQuerySchema, queryFlag } from './page.ts'

/** GET /api/v1/approvals; `used` are those whose call was begun. */
export const approvalsQuerySchema = pageQuerySchema.extend({
  status: z.enum(['pending', 'decided', 'used']).exactOptional(),
  mine: queryFlag.exactOptional().meta({
    description: 'Of an administrator: what they asked for or were given, not what all did',
  }),
})
export type ApprovalsQuery = z.infer<typeof approvalsQuerySchema>

/** Newest first. */
export const approvalsPageSchema = z.object({
  approvals: z.array(approvalSchema),
  ...openPageFields,
})
export type ApprovalsPage = z.infer<typeof approvalsPageSchema>

/** POST /api/v1/approvals/{approval_id}/decide, and what a socket takes as a decision. */
export const decisionRequestSchema = z.strictObject({
  ...decisionSchema.shape,
  message: z.string().max(4000).default(''),
})
export type DecisionRequest = z.infer<typeof decisionRequestSchema>
export type DecisionRequestInput = z.input<typeof decisionRequestSchema>

/** POST /api/v1/approvals/{approval_id}/hand-over */
export const handOverRequestSchema = z.strictObject({ user_id: id })
export type HandOverRequest = z.infer<typeof handOverRequestSchema>
