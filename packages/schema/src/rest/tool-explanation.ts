import { z } from 'zod'
import { id, wholeNumber } from '../scalars.ts'
import { effectSchema, subjectSchema, tierSchema } from './policy.ts'
import { namedToolSchema } from './tools.ts'

/** POST /api/v1/tools/explain: why the caller, or for an administrator a user, may or may not. */
export const toolExplainRequestSchema = z.strictObject({
  tool: namedToolSchema,
  assistant_id: id.exactOptional(),
  user_id: id.exactOptional(),
})
export type ToolExplainRequest = z.infer<typeof toolExplainRequestSchema>

const reason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('not_bound'), subject: subjectSchema }),
  z.object({ kind: z.literal('not_visible') }),
  z.object({ kind: z.literal('role'), role: z.string() }),
  z.object({ kind: z.literal('feature_off'), feature: z.string() }),
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

const judged = { revision: wholeNumber, by: reason }
const allow = z.object({ status: z.literal('allow'), ...judged })
const ask = z.object({ status: z.literal('ask'), ...judged, once_per_session: z.boolean() })
const deny = z.object({ status: z.literal('deny'), ...judged })

/** Verdict and the way to it: each list and rule that was looked at, and whether it decided. */
export const toolExplanationSchema = z.object({
  verdict: z.discriminatedUnion('status', [
    allow,
    ask.extend({
      unless_asked: z.discriminatedUnion('status', [allow, ask]).exactOptional().meta({
        description: 'The verdict on a call of which the tool says that it need not be asked for',
      }),
    }),
    deny,
  ]),
  tool: z.object({ server_id: z.string(), name: z.string() }),
  steps: z.array(z.object({ text: z.string(), decided: z.boolean() })),
})
export type ToolExplanation = z.infer<typeof toolExplanationSchema>
