import { z } from 'zod'
import { id, timestamp, wholeNumber } from '../scalars.ts'

const subjectKind = z.enum(['agent', 'api_key', 'group', 'user', 'tenant'])

/** Whom an allow-list, a rule or a limit speaks of; the id `*` is every one of that kind. */
export const subjectSchema = z.object({ kind: subjectKind, id: z.string() })
export const tierSchema = z.enum(['platform', 'tenant', 'user'])
export const effectSchema = z.enum(['allow', 'ask', 'deny'])

const everyone = z.union([z.literal('*'), id])
const tool = z.string().min(1).max(191).meta({ description: "A pattern on the server's tools" })
const newSubject = z.strictObject({ kind: subjectKind, id: everyone })
/** Which tools: `server_id` `*` is every server that the caller may see. */
const target = { server_id: everyone, tool }
const seenTarget = { server_id: z.string(), tool: z.string() }
const made = {
  tenant_id: z.string(),
  subject: subjectSchema,
  ...seenTarget,
  revision: wholeNumber,
  created_at: timestamp,
  created_by: z.string().nullable(),
}

/** /api/v1/policy/bindings/{kind}/{subject_id} */
export const bindingParamsSchema = z.strictObject({ kind: subjectKind, subject_id: everyone })
export type BindingParams = z.infer<typeof bindingParamsSchema>

/** PUT …/bindings/{kind}/{subject_id}; without entries the subject may call nothing. */
export const allowListRequestSchema = z.strictObject({
  entries: z.array(z.strictObject(target)).max(10_000),
})
export type AllowListRequest = z.infer<typeof allowListRequestSchema>

/** The tools that one subject is bound to. */
export const allowListSchema = z.object({
  tenant_id: z.string(),
  subject: subjectSchema,
  entries: z.array(z.object(seenTarget)).readonly(),
  revision: wholeNumber,
  updated_at: timestamp,
  updated_by: z.string().nullable(),
})
export type AllowList = z.infer<typeof allowListSchema>

/** POST /api/v1/policy/rules */
export const ruleCreateSchema = z.strictObject({
  tier: tierSchema,
  subject: newSubject,
  ...target,
  effect: effectSchema,
  trusts: z.array(everyone).max(1000).exactOptional().meta({
    description: 'Servers whose output may have been read before; `*` is all',
  }),
  session_id: id.nullable().exactOptional(),
  expires_at: timestamp.nullable().exactOptional(),
  note: z.string().max(1000).exactOptional(),
})
export type RuleCreate = z.infer<typeof ruleCreateSchema>

export const ruleSchema = z.object({
  ...made,
  rule_id: z.string(),
  tier: tierSchema,
  effect: effectSchema,
  trusts: z.array(z.string()).readonly(),
  session_id: z.string().nullable(),
  expires_at: timestamp.nullable(),
  note: z.string(),
})
export type Rule = z.infer<typeof ruleSchema>

/** GET /api/v1/policy/rules: those that the caller may see. */
export const ruleListSchema = z.object({ rules: z.array(ruleSchema).readonly() })
export type RuleList = z.infer<typeof ruleListSchema>

/** POST /api/v1/policy/limits */
export const limitCreateSchema = z.strictObject({
  subject: newSubject,
  ...target,
  max_calls: wholeNumber,
  window_ms: z.int().positive(),
})
export type LimitCreate = z.infer<typeof limitCreateSchema>

export const limitSchema = z.object({
  ...made,
  limit_id: z.string(),
  max_calls: wholeNumber,
  window_ms: wholeNumber,
})
export type Limit = z.infer<typeof limitSchema>

/** GET /api/v1/policy/limits */
export const limitListSchema = z.object({ limits: z.array(limitSchema).readonly() })
export type LimitList = z.infer<typeof limitListSchema>
