import { z } from 'zod'
import { effectSchema, subjectSchema, tierSchema } from './policy.ts'

/** What decided a call: a list, a rule, a setting or a default. */
export const reasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('not_bound'), subject: subjectSchema }),
  z.object({ kind: z.literal('not_visible') }),
  z.object({ kind: z.literal('role'), role: z.string() }),
  z.object({ kind: z.literal('feature_off'), feature: z.string() }),
  z.object({ kind: z.literal('switched_off') }),
  z.object({
    kind: z.literal('rule'),
    rule_id: z.string(),
    tier: tierSchema,
    effect: effectSchema,
  }),
  z.object({ kind: z.literal('server_setting'), effect: effectSchema }),
  z.object({ kind: z.literal('default'), why: z.string() }),
  z.object({ kind: z.literal('unconfirmed'), since_ms: z.number() }),
])
export type PolicyReason = z.infer<typeof reasonSchema>
