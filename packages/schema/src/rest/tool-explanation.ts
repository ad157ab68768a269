import { z } from 'zod'
import { jsonObject } from '../json.ts'
import { id, wholeNumber } from '../scalars.ts'
import { effectSchema, subjectSchema, tierSchema } from './policy.ts'
import { reasonSchema } from './policy-reason.ts'
import { fieldErrorSchema } from './tool-outcome.ts'
import { namedToolSchema } from './tools.ts'

/** POST /api/v1/tools/explain: why the caller, or for an administrator a user, may or may not. */
export const toolExplainRequestSchema = z.strictObject({
  tool: namedToolSchema,
  args: jsonObject.exactOptional().meta({
    description: 'Of one call: whether they fit, and what a tool that asks by them says',
  }),
  assistant_id: id.exactOptional(),
  user_id: id.exactOptional(),
})
export type ToolExplainRequest = z.infer<typeof toolExplainRequestSchema>

const judged = { revision: wholeNumber, by: reasonSchema }
const allow = z.object({ status: z.literal('allow'), ...judged })
const ask = z.object({ status: z.literal('ask'), ...judged, once_per_session: z.boolean() })
const deny = z.object({ status: z.literal('deny'), ...judged })

const who = { subject: subjectSchema }

/** What was looked at; `text` says it in English. */
const step = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('refused_at_once'),
    why: z.enum(['unconfirmed', 'role', 'nobody']),
  }),
  z.object({ kind: z.literal('server'), visible: z.boolean() }),
  z.object({ kind: z.literal('features_on') }),
  z.object({ kind: z.literal('feature_off'), feature: z.string() }),
  z.object({ kind: z.literal('brought') }),
  z.object({ kind: z.literal('switched_off') }),
  z.object({
    kind: z.literal('list'),
    ...who,
    of: subjectSchema.nullable().meta({
      description: 'Whose list it is, another’s where it is inherited; null the installation’s',
    }),
    holds: z.boolean(),
  }),
  z.object({
    kind: z.literal('rule'),
    state: z.enum(['fits', 'fits_too', 'expired', 'other_session']),
    rule_id: z.string(),
    tier: tierSchema,
    effect: effectSchema,
    ...who,
    server_id: z.string(),
    tool: z.string(),
  }),
  z.object({ kind: z.literal('server_setting'), effect: effectSchema }),
  z.object({ kind: z.literal('default'), why: z.string() }),
  z.object({
    kind: z.literal('untrusted_output'),
    read: z.array(z.string()),
    doubtful: z.array(z.string()),
    outside: z.boolean(),
  }),
  z.object({ kind: z.literal('arguments'), asks: z.boolean() }),
])

/** Whether the arguments fit the tool; `failed` where that cannot be said. */
const argumentsCheck = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal('invalid'), errors: z.array(fieldErrorSchema) }),
  z.object({ status: z.literal('failed'), message: z.string() }),
])

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
  steps: z.array(z.object({ what: step, text: z.string(), decided: z.boolean() })),
  arguments: argumentsCheck.exactOptional().meta({ description: 'Where arguments were given' }),
})
export type ToolExplanation = z.infer<typeof toolExplanationSchema>
