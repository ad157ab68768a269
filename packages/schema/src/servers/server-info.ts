import { z } from 'zod'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { secretViewSchema } from '../secret.ts'
import { commonFields, remoteFields, stdioFields } from './server-fields.ts'

/** A page shows `running` as connected and `stopped` as disconnected. */
export const serverStatusSchema = z.enum(['running', 'stopped', 'error'])
export type ServerStatus = z.infer<typeof serverStatusSchema>

/** Why a server cannot be used, for programs; a message beside it says more. */
export const serverFaultSchema = z.enum([
  ...(['connecting', 'unreachable', 'timeout', 'credentials', 'needs_credentials'] as const),
  ...(['sign_in', 'not_found', 'server_error', 'address_denied', 'start', 'closed'] as const),
  ...(['protocol', 'schemas', 'quota', 'other'] as const),
])
export type ServerFault = z.infer<typeof serverFaultSchema>

/** Whose a server is: a user's own, shared within a tenant, or with all of them. */
export const serverScopeSchema = z.enum(['user', 'tenant', 'platform'])

const info = {
  ...commonFields,
  server_id: id,
  scope: serverScopeSchema,
  /** Whose it is; null is a server that an administrator shares. */
  user_id: id.nullable(),
  status: serverStatusSchema,
  /** Why it is not running, in words for its owner. */
  status_message: z.string().exactOptional(),
  status_fault: serverFaultSchema.exactOptional(),
  tool_count: wholeNumber,
  sample: z.literal(true).exactOptional().meta({
    description: 'It came with the product, to try it with',
  }),
  created_at: timestamp,
  updated_at: timestamp,
}
const stdio = stdioFields(() => secretViewSchema)
const remote = remoteFields(() => secretViewSchema)

/** A server as an answer shows it: every secret only as set. */
export const serverInfoSchema = z.discriminatedUnion('transport', [
  z.object({ ...info, transport: z.literal('stdio'), ...stdio }),
  z.object({ ...info, transport: z.literal('http'), ...remote }),
  z.object({ ...info, transport: z.literal('sse'), ...remote }),
])
export type ServerInfo = z.infer<typeof serverInfoSchema>
