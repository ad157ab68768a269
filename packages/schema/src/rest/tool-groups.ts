import { z } from 'zod'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { pageQuerySchema } from './page.ts'
import { allowListRequestSchema, allowListSchema } from './policy.ts'

const groupId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'expected 1 to 63 of a-z, 0-9, - and _, the first a letter or digit',
  )
const newName = z.string().trim().min(1).max(120).meta({
  description: 'What people and clients see, also on the page where access is granted',
})
const description = z.string().max(2_000)
const openToUsers = z.boolean().meta({
  description:
    'Whether users of the tenant may grant access by signing in; administrators always may',
})
const shownOnce = z.boolean().meta({
  description: 'Whether the key is told when it is made and never again',
})
const tools = allowListRequestSchema.shape.entries.meta({
  description: 'Which tools: a server, or `*` for every one, and a pattern on its tools',
})
const keyExpiry = timestamp.nullable().meta({
  description: 'When the key ends, in milliseconds since 1970-01-01T00:00:00Z; null is never',
})

/** /api/v1/mcp-groups/{group_id} */
export const toolGroupParamsSchema = z.strictObject({ group_id: groupId })

/** /api/v1/mcp-groups/{group_id}/grants/{grant_id} */
export const grantParamsSchema = toolGroupParamsSchema.extend({ grant_id: id })

const settings = {
  description: description.exactOptional(),
  enabled: z.boolean().exactOptional(),
  open_to_users: openToUsers.exactOptional(),
  shown_once: shownOnce.exactOptional(),
  key_expires_at: keyExpiry.exactOptional(),
}

/** POST /api/v1/mcp-groups */
export const toolGroupCreateSchema = z.strictObject({
  group_id: groupId.exactOptional().meta({ description: 'Default: made of the name' }),
  name: newName,
  tools,
  ...settings,
})
export type ToolGroupCreate = z.infer<typeof toolGroupCreateSchema>

/** PATCH /api/v1/mcp-groups/{group_id}: what is absent stays as it is. */
export const toolGroupUpdateSchema = z.strictObject({
  name: newName.exactOptional(),
  tools: tools.exactOptional(),
  ...settings,
})
export type ToolGroupUpdate = z.infer<typeof toolGroupUpdateSchema>

/** The key of a group, but for the key itself. */
const groupKeySchema = z.object({
  key_id: z.string(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  can_copy: z.boolean().meta({ description: 'Whether the key can be told again' }),
  previous_until: timestamp.nullable().meta({
    description: 'Until when the key before it holds too, in milliseconds since 1970',
  }),
})

const urlsSchema = z.object({
  streamable_http: z.string().meta({ description: 'Streamable HTTP, for this group alone' }),
  sse: z.string().meta({ description: 'HTTP+SSE; the key or the consent says which group' }),
  jsonrpc: z.string().meta({ description: 'JSON-RPC; the key or the consent says which group' }),
})

/** A set of tools that is offered to MCP clients under one key. */
export const toolGroupSchema = z.object({
  group_id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  open_to_users: openToUsers,
  shown_once: shownOnce,
  tools: allowListSchema.shape.entries,
  key: groupKeySchema.nullable(),
  urls: urlsSchema.meta({ description: 'What to paste into a client' }),
  created_at: timestamp,
  created_by: z.string().nullable(),
  updated_at: timestamp,
})
export type ToolGroupInfo = z.infer<typeof toolGroupSchema>

/** GET /api/v1/mcp-groups, by name. */
export const toolGroupListSchema = z.object({ groups: z.array(toolGroupSchema) })
export type ToolGroupList = z.infer<typeof toolGroupListSchema>

const groupKey = z.string().meta({ description: 'The key itself: mk_…' })

/** The answers that hold the key: of a group that was made, and of a key that was rotated. */
export const toolGroupWithKeySchema = z.object({ group: toolGroupSchema, key: groupKey })
export type ToolGroupWithKey = z.infer<typeof toolGroupWithKeySchema>

/** POST …/key/copy */
export const groupKeyCopySchema = z.object({ key: groupKey })
export type GroupKeyCopy = z.infer<typeof groupKeyCopySchema>

/** POST …/key/rotate */
export const groupKeyRotateRequestSchema = z.strictObject({
  overlap_seconds: wholeNumber
    .max(90 * 24 * 60 * 60)
    .exactOptional()
    .meta({
      description: 'For how long the old key holds too. Default 0: it ends with all that it gave',
    }),
  expires_at: keyExpiry.exactOptional(),
})
export type GroupKeyRotateRequest = z.infer<typeof groupKeyRotateRequestSchema>

/** GET …/grants */
export const grantsQuerySchema = pageQuerySchema.pick({ limit: true })
export type GrantsQuery = z.infer<typeof grantsQuerySchema>

/** What a client was allowed, until it ends or is taken back. */
export const grantInfoSchema = z.object({
  grant_id: z.string(),
  client_name: z.string().meta({ description: 'As the client calls itself' }),
  user_id: z.string().nullable().meta({ description: 'Who gave it; null where the key did' }),
  scope: z.string(),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
})
export type GrantInfo = z.infer<typeof grantInfoSchema>

/** Newest first. */
export const grantsPageSchema = z.object({
  grants: z.array(grantInfoSchema),
  more: z.boolean().meta({ description: 'Whether there are older ones' }),
})
export type GrantsPage = z.infer<typeof grantsPageSchema>

/** /api/v1/me/grants/{grant_id} */
export const ownGrantParamsSchema = z.strictObject({ grant_id: id })

/** GET /api/v1/me/grants: what the caller allowed, newest first. */
export const ownGrantsPageSchema = grantsPageSchema.extend({
  grants: z.array(
    grantInfoSchema.extend({
      group_id: z.string(),
      group_name: z.string(),
    }),
  ),
})
export type OwnGrantsPage = z.infer<typeof ownGrantsPageSchema>
