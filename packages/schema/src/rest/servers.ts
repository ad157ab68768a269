import { z } from 'zod'
import { jsonObject } from '../json.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { type ServerConfigInput, serverConfigSchema } from '../servers/server-config.ts'
import { serverFaultSchema, serverInfoSchema, serverStatusSchema } from '../servers/server-info.ts'
import { fieldErrorSchema } from './tool-outcome.ts'

/**
 * GET /api/v1/users/{user_id}/mcp-servers and /api/v1/mcp-servers. What a user posts is a
 * ServerConfigInput, what is put a ServerUpdateInput.
 */
export const serverListSchema = z.object({ servers: z.array(serverInfoSchema) })
export type ServerList = z.infer<typeof serverListSchema>

/** POST /api/v1/mcp-servers: one that is shared within the tenant or with all of them. */
export const sharedServerCreateSchema = z.strictObject({
  scope: z.enum(['tenant', 'platform']).default('tenant'),
  config: serverConfigSchema,
})
export type SharedServerCreate = z.infer<typeof sharedServerCreateSchema>
export interface SharedServerCreateInput {
  scope?: SharedServerCreate['scope']
  config: ServerConfigInput
}

/** POST /api/v1/mcp-servers/test, of a configuration that need not be stored. */
export const serverTestRequestSchema = z.strictObject({
  scope: z
    .enum(['user', 'tenant', 'platform'])
    .exactOptional()
    .meta({ description: 'Default: tenant for administrators, user for others' }),
  config: serverConfigSchema,
})
export type ServerTestRequest = z.infer<typeof serverTestRequestSchema>
export interface ServerTestRequestInput {
  scope?: NonNullable<ServerTestRequest['scope']>
  config: ServerConfigInput
}

/** Each step with its time, as far as it came. */
export const connectionTestResultSchema = z.object({
  ok: z.boolean(),
  steps: z.array(
    z.object({
      name: z.enum(['start', 'initialize', 'list tools', 'check schemas']),
      status: z.enum(['ok', 'failed', 'skipped']),
      ms: z.number().nonnegative(),
      message: z.string().exactOptional(),
      fault: serverFaultSchema.exactOptional(),
    }),
  ),
  protocol: z.object({ era: z.string(), version: z.string() }).exactOptional(),
  tool_count: wholeNumber.exactOptional(),
  log: z.array(z.string()).exactOptional(),
})
export type ConnectionTestResult = z.infer<typeof connectionTestResultSchema>

/** One connection to a server: the shared one, or that of a user. */
const serverHealth = z.object({
  server_id: id,
  tenant_id: z.string(),
  user_id: z.string().nullable(),
  status: serverStatusSchema,
  message: z.string().exactOptional(),
  fault: serverFaultSchema.exactOptional(),
  retry_at: z.number().exactOptional(),
  authorization_url: z.string().exactOptional(),
  breaker: z.enum(['closed', 'open', 'half_open']),
  holder: z.object({ owner: z.string(), own: z.boolean() }).optional(),
  since: z.number(),
})
export type ServerHealth = z.infer<typeof serverHealth>

/** GET /api/v1/mcp-servers/{server_id}/status, and the answer to reconnect and refresh. */
export const serverStatusListSchema = z.object({ statuses: z.array(serverHealth).readonly() })
export type ServerStatusList = z.infer<typeof serverStatusListSchema>

const healthChange = z.object({
  at: timestamp,
  user_id: z.string().nullable().meta({ description: 'Whose connection; null is one of all' }),
  from: serverStatusSchema.nullable().meta({ description: 'Null where it is no longer known' }),
  status: serverStatusSchema,
  fault: serverFaultSchema.exactOptional(),
  message: z.string().exactOptional(),
  connect_ms: wholeNumber
    .exactOptional()
    .meta({ description: 'How long it took to connect, where it has just connected' }),
})
export type ServerHealthChange = z.infer<typeof healthChange>

/** GET /api/v1/mcp-servers/{server_id}/health: the latest changes, newest first. */
export const serverHealthHistorySchema = z.object({ changes: z.array(healthChange) })
export type ServerHealthHistory = z.infer<typeof serverHealthHistorySchema>

const secrets = z.record(
  z.string().min(1).max(256),
  z.string().max(65_536).meta({ writeOnly: true }),
)

/** PUT /api/v1/mcp-servers/{server_id}/credentials: the caller's own, which no answer shows. */
export const credentialsUpdateSchema = z.strictObject({
  headers: secrets.exactOptional(),
  env: secrets.exactOptional(),
})
export type CredentialsUpdate = z.infer<typeof credentialsUpdateSchema>

/** GET /api/v1/mcp-servers/{server_id}/credentials: whether the caller has given their own. */
export const credentialsStatusSchema = z.object({
  status: z.enum(['not_taken', 'needed', 'set', 'unreadable']).meta({
    description: '`not_taken`: all use those of the server; `unreadable`: give them again',
  }),
})
export type CredentialsStatus = z.infer<typeof credentialsStatusSchema>

const begun = { authorization_url: z.string(), expires_at: timestamp }

/** GET /api/v1/mcp-servers/{server_id}/sign-in */
export const serverSignInSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('signed_out') }),
  z.object({ status: z.literal('pending'), ...begun }),
  z.object({
    status: z.literal('signed_in'),
    issuer: z.string(),
    scope: z.string().exactOptional(),
    expires_at: timestamp.exactOptional(),
  }),
])
export type ServerSignIn = z.infer<typeof serverSignInSchema>

/** POST /api/v1/mcp-servers/{server_id}/sign-in: the address to open in the person's browser. */
export const serverSignInBegunSchema = z.object(begun)
export type ServerSignInBegun = z.infer<typeof serverSignInBegunSchema>

/** POST /api/v1/mcp-servers/import: a configuration as other products write it, pasted. */
export const importRequestSchema = z.strictObject({ text: z.string().min(1).max(1_000_000) })
export type ImportRequest = z.infer<typeof importRequestSchema>

const importEntry = z.discriminatedUnion('status', [
  z.object({
    status: z.enum(['new', 'duplicate']),
    name: z.string(),
    proposed_name: z.string().exactOptional(),
    config: (jsonObject as unknown as z.ZodType<ServerConfigInput, ServerConfigInput>).meta({
      description: 'With the values that were pasted, to be posted as it is or completed',
    }),
    secrets: z.array(z.object({ path: z.string(), kind: z.enum(['given', 'needed']) })),
    warnings: z.array(z.string()),
  }),
  z.object({
    status: z.literal('invalid'),
    name: z.string(),
    message: z.string(),
    errors: z.array(fieldErrorSchema),
  }),
])

/** What was found in the text. Nothing is stored or started. */
export const importPreviewSchema = z.object({
  form: z.string().optional(),
  entries: z.array(importEntry),
  error: z.string().exactOptional(),
})
export type ImportPreview = z.infer<typeof importPreviewSchema>

const lines = z.array(z.string().max(4096)).max(200).readonly()

/** GET and PUT /api/v1/mcp-servers/templates: commands that users may start with their values. */
export const templateListSchema = z.strictObject({
  templates: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(191),
        command: z.string().min(1).max(4096),
        args: lines,
        params: z.record(z.string(), z.string().max(4096)).readonly().exactOptional(),
        env: lines.exactOptional(),
        cwd: z.string().min(1).max(4096).exactOptional(),
        network: z.boolean().exactOptional(),
      }),
    )
    .max(500)
    .readonly(),
})
export type TemplateList = z.infer<typeof templateListSchema>
