import { z } from 'zod'
import { changeKindSchema } from '../changes.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { toolCallStatusSchema } from '../tools.ts'
import { roleSchema } from '../users.ts'
import { openPageFields, pageQuerySchema, periodFields, queryFlag } from './page.ts'

const filters = {
  user_id: id.exactOptional(),
  session_id: id.exactOptional(),
  agent_id: id.exactOptional(),
  group_id: id.exactOptional(),
  server_id: id.exactOptional(),
  tool_name: z.string().min(1).max(512).exactOptional(),
  status: toolCallStatusSchema.exactOptional(),
  trace_id: z.string().min(1).max(64).exactOptional(),
  call_id: id.exactOptional(),
  ...periodFields,
}

/** GET /api/v1/audit/calls */
export const callsQuerySchema = pageQuerySchema.extend(filters)
export type CallsQuery = z.infer<typeof callsQuerySchema>

/** GET /api/v1/audit/calls/export: all that fit, as they are read. */
export const callsExportQuerySchema = z.strictObject({
  ...filters,
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
})
export type CallsExportQuery = z.infer<typeof callsExportQuerySchema>

const someText = z.string().nullable()

/** One call as it is audited: who, what, under which definition and policy, with what end. */
export const callRecordSchema = z.object({
  call_id: z.string(),
  tenant_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  source: z.string(),
  user_id: someText,
  session_id: someText,
  run_id: someText,
  agent_id: someText,
  api_key: someText,
  group_id: someText,
  server_id: someText,
  tool_name: z.string(),
  schema_version: wholeNumber.nullable(),
  definition_hash: someText,
  policy_revision: wholeNumber,
  decided_by: someText,
  input_validation: z.string(),
  output_validation: z.string(),
  approval_id: someText,
  attempts: wholeNumber,
  started_at: timestamp,
  ended_at: timestamp,
  duration_ms: z.number().nonnegative(),
  status: toolCallStatusSchema,
  error: someText,
  args_digest: someText,
  args: someText,
  result: someText,
})
export type CallRecord = z.infer<typeof callRecordSchema>

/** Newest first. */
export const callsPageSchema = z.object({ calls: z.array(callRecordSchema), ...openPageFields })
export type CallsPage = z.infer<typeof callsPageSchema>

const tallyColumn = z.enum(['group_id', 'user_id', 'minute'])

/** GET /api/v1/audit/calls/tally: how many fit, by tool group, by user, or by minute and status. */
export const callsTallyQuerySchema = z.strictObject({ ...filters, by: tallyColumn })
export type CallsTallyQuery = z.infer<typeof callsTallyQuerySchema>

/**
 * Most calls first; `key` is null for calls of no group, or of no person. By `minute` it is the
 * minute when they began (2026-11-16T10:05Z), and each status has a row of its own.
 */
export const callsTallySchema = z.object({
  by: tallyColumn,
  rows: z.array(
    z.object({
      key: someText,
      status: toolCallStatusSchema.exactOptional(),
      calls: wholeNumber,
      failed: wholeNumber.meta({ description: 'Of these the calls that did not end well' }),
      last_at: timestamp,
    }),
  ),
})
export type CallsTally = z.infer<typeof callsTallySchema>

/** GET /api/v1/audit/changes; with `platform=true` what holds for all tenants. */
export const changesQuerySchema = pageQuerySchema.extend({
  kind: changeKindSchema.exactOptional(),
  target: z.string().min(1).max(1024).exactOptional(),
  user_id: id.exactOptional(),
  platform: queryFlag.exactOptional(),
  ...periodFields,
})
export type ChangesQuery = z.infer<typeof changesQuerySchema>

/** What someone has changed; `before` and `after` are JSON without secrets. */
export const changeSchema = z.object({
  change_id: z.string(),
  tenant_id: z.string(),
  changed_at: timestamp,
  by_tenant: z.string(),
  user_id: someText,
  role: roleSchema,
  api_key: someText,
  kind: z.string(),
  target: z.string(),
  action: z.string(),
  before: someText,
  after: someText,
  revision: wholeNumber.nullable(),
})
export type Change = z.infer<typeof changeSchema>

/** Newest first. */
export const changesPageSchema = z.object({ changes: z.array(changeSchema), ...openPageFields })
export type ChangesPage = z.infer<typeof changesPageSchema>

/** POST /api/v1/audit/verify: whether nothing was changed since it was written. */
export const chainReportSchema = z.object({
  ok: z.boolean(),
  rows: wholeNumber,
  writers: wholeNumber,
  faults: z.array(z.object({ writer: z.string(), seq: z.number(), what: z.string() })),
})
export type ChainReport = z.infer<typeof chainReportSchema>
