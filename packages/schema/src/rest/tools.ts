import { z } from 'zod'
import { jsonObject } from '../json.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { toolDefinitionSchema, toolInfoSchema } from '../tools.ts'
import { pageFields, pageQuerySchema } from './page.ts'

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
  findings: z.array(findingSchema).readonly(),
})
export type ToolView = z.infer<typeof toolViewSchema>

/** GET /api/v1/tools: what the caller, or with an assistant that assistant, may call. */
export const toolsQuerySchema = pageQuerySchema.extend({
  assistant_id: id.exactOptional(),
  q: z.string().trim().min(1).max(200).exactOptional(),
})
export type ToolsQuery = z.infer<typeof toolsQuerySchema>

export const toolsPageSchema = z.object({ tools: z.array(toolViewSchema), ...pageFields })
export type ToolsPage = z.infer<typeof toolsPageSchema>

/** POST /api/v1/tools/call */
export const toolCallRequestSchema = z.strictObject({
  tool: namedToolSchema,
  args: jsonObject.default({}),
  assistant_id: id.exactOptional(),
  timeout_ms: z.int().min(1).max(86_400_000).exactOptional(),
  wait_for_approval: z.boolean().default(false),
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
