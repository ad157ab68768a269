import { z } from 'zod'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { secretViewSchema } from '../secret.ts'
import { commonFields, remoteFields, stdioFields } from './server-fields.ts'

/** A page shows `running` as connected and `stopped` as disconnected. */
export const serverStatusSchema = z.enum(['running', 'stopped', 'error'])
export type ServerStatus = z.infer<typeof serverStatusSchema>

const info = {
  ...commonFields,
  server_id: id,
  /** Whose it is; null is a server that an administrator shares. */
  user_id: id.nullable(),
  status: serverStatusSchema,
  /** Why it is not running, in words for its owner. */
  status_message: z.string().exactOptional(),
  tool_count: wholeNumber,
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
