import { z } from 'zod'
import { jsonObject } from '../json.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { serverScopeSchema } from '../servers/server-info.ts'
import { toolDefinitionSchema, toolInfoSchema } from '../tools.ts'
import { pageFields, pageQuerySchema } from './page.ts'
import { effectSchema } from './policy.ts'
import { reasonSchema } from './policy-reason.ts'

const toolName = z.string().min(1).max(512)
const toolRefSchema = z.strictObject({ server_id: id, name: toolName })

/** A tool by any name that the caller knows it by, or by its identity. */
export const namedToolSchema = z.union([toolName, toolRefSchema])

/** Something in a definition that a person should look at. */
const findingSchema = z.object({
  kind: z.string(),
  path: z.string(),
  message: z.string(),
  severity: z.enum(['high', 'low']),
})
export type Finding = z.infer<typeof findingSchema>

/** A tool that the caller may call, at once or after being asked. */
export const toolViewSchema = toolInfoSchema.extend({
  sdk_name: z.string().meta({ description: '`server.tool`, for people' }),
  wire_name: z.string().meta({ description: 'What a model calls it by' }),
  verdict: z.enum(['allow', 'ask']),
  why: z.string().meta({ description: 'The list, rule or default that decides, in words' }),
  by: reasonSchema.meta({ description: 'The same for programs' }),
  findings: z.array(findingSchema).readonly(),
})
export type ToolView = z.infer<typeof toolViewSchema>

/** GET /api/v1/tools: what the caller, or with an assistant that assistant, may call. */
export const toolsQuerySchema = pageQuerySchema.extend({
  assistant_id: id.exactOptional(),
  q: z.string().trim().min(1).max(200).exactOptional(),
  server_id: id.exactOptional(),
})
export type ToolsQuery = z.infer<typeof toolsQuerySchema>

export const toolsPageSchema = z.object({ tools: z.array(toolViewSchema), ...pageFields })
export type ToolsPage = z.infer<typeof toolsPageSchema>

const offer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('offered') }),
  z.object({
    status: z.literal('withheld'),
    why: z.enum([
      ...(['active', 'quarantined', 'pending', 'rejected', 'gone'] as const),
      ...(['filtered', 'server_disabled'] as const),
    ]),
  }),
  z.object({ status: z.literal('unavailable'), message: z.string() }),
])

/** A tool of the tenant, as its administrator sees it. */
const registeredTool = toolDefinitionSchema
  .pick({ name: true, title: true, description: true, annotations: true })
  .extend({
    server_id: id,
    server_name: z.string(),
    scope: serverScopeSchema,
    user_id: id.nullable().meta({ description: 'Whose server it is; null is a shared one' }),
    sdk_name: z.string(),
    version: wholeNumber,
    seen_at: timestamp,
    findings: z.array(findingSchema).readonly(),
    tokens: wholeNumber.meta({ description: 'What its definition takes of a prompt, estimated' }),
    offer,
    verdict: effectSchema.meta({
      description: 'For the people whose it is, where no rule speaks of one of them',
    }),
    by: reasonSchema,
  })
export type RegisteredTool = z.infer<typeof registeredTool>

/** GET /api/v1/tools/registry: every tool of every server of the tenant, by name. */
export const registeredToolsQuerySchema = pageQuerySchema.extend({
  q: z.string().trim().min(1).max(200).exactOptional(),
  server_id: id.exactOptional(),
  offer: z.enum(['offered', 'withheld', 'unavailable']).exactOptional(),
})
export type RegisteredToolsQuery = z.infer<typeof registeredToolsQuerySchema>

export const registeredToolsPageSchema = z.object({
  tools: z.array(registeredTool),
  ...pageFields,
})
export type RegisteredToolsPage = z.infer<typeof registeredToolsPageSchema>

/** POST /api/v1/tools/call */
export const toolCallRequestSchema = z.strictObject({
  tool: namedToolSchema,
  args: jsonObject.default({}),
  assistant_id: id.exactOptional(),
  timeout_ms: z.int().min(1).max(86_400_000).exactOptional(),
  wait_for_approval: z.boolean().default(false),
  tool_call_id: id.exactOptional().meta({
    description: 'What the caller calls it; an approval that it waits for says so',
  }),
})
export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>
export type ToolCallRequestInput = z.input<typeof toolCallRequestSchema>

const pendingToolSchema = z.object({
  tool: z.object({
    server_id: id,
    name: z.string(),
    state: z.enum(['active', 'quarantined', 'pending', 'rejected', 'gone']),
    version: wholeNumber,
    hash: z.string(),
    definition: toolDefinitionSchema,
    created_at: timestamp,
    seen_at: timestamp,
  }),
  pending: z.object({
    version: wholeNumber,
    hash: z.string(),
    definition: toolDefinitionSchema,
    seen_at: timestamp,
  }),
  findings: z.array(findingSchema).readonly(),
  diff: z.array(
    z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() }),
  ),
})
export type PendingTool = z.infer<typeof pendingToolSchema>

/** GET /api/v1/tools/pending: definitions that wait for an administrator. */
export const pendingToolListSchema = z.object({ tools: z.array(pendingToolSchema) })
export type PendingToolList = z.infer<typeof pendingToolListSchema>

/** POST /api/v1/tools/decide: on the version that the administrator has seen. */
export const toolDecisionRequestSchema = z.strictObject({
  server_id: id,
  name: toolName,
  version: z.int().positive(),
  decision: z.enum(['approve', 'reject']),
})
export type ToolDecisionRequest = z.infer<typeof toolDecisionRequestSchema>
