import { z } from 'zod'
import { jsonObject } from './json.ts'
import { openObject } from './open-object.ts'
import { id, timestamp } from './scalars.ts'

/**
 * A server's own claims about a tool. Hints, never a permission: a policy may only be made stricter
 * by them.
 */
export const toolAnnotationsSchema = openObject({
  title: z.string().exactOptional(),
  readOnlyHint: z.boolean().exactOptional(),
  destructiveHint: z.boolean().exactOptional(),
  idempotentHint: z.boolean().exactOptional(),
  openWorldHint: z.boolean().exactOptional(),
})
export type ToolAnnotations = z.infer<typeof toolAnnotationsSchema>

/** What a server says a tool is: the part that `hash` is taken over. */
export const toolDefinitionSchema = z.object({
  name: z.string().min(1),
  title: z.string().exactOptional(),
  description: z.string(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.exactOptional(),
  annotations: toolAnnotationsSchema.exactOptional(),
})
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>

/** A tool in the catalogue. A change of its definition is a new `version` with its own `hash`. */
export const toolInfoSchema = toolDefinitionSchema.extend({
  server_id: id,
  version: z.int().positive(),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'SHA-256 of the definition' }),
  seen_at: timestamp,
})
export type ToolInfo = z.infer<typeof toolInfoSchema>

/** How a tool call ended, as the call log, the audit and the events write it. */
export const toolCallStatusSchema = z.enum([
  'ok',
  'error',
  'timeout',
  'denied',
  'invalid',
  'limited',
  'rejected',
  'unavailable',
  'cancelled',
  'unknown_outcome',
  'interrupted',
])
export type ToolCallStatus = z.infer<typeof toolCallStatusSchema>
