import { z } from 'zod'
import { messageSchema } from '../messages.ts'
import { id, timestamp } from '../scalars.ts'
import { sessionStatusSchema } from '../sessions.ts'
import { pageFields } from './page.ts'

/** A session as it is listed. */
export const sessionInfoSchema = z.object({
  session_id: id,
  user_id: id,
  assistant_id: id,
  created_at: timestamp,
  last_active: timestamp,
  title: z.string().exactOptional(),
  status: sessionStatusSchema.exactOptional(),
})
export type SessionInfo = z.infer<typeof sessionInfoSchema>

/** GET /api/v1/sessions */
export const sessionsPageSchema = z.object({ sessions: z.array(sessionInfoSchema), ...pageFields })
export type SessionsPage = z.infer<typeof sessionsPageSchema>

/** GET /api/v1/sessions/{session_id}/messages, oldest first. */
export const messagesPageSchema = z.object({ messages: z.array(messageSchema), ...pageFields })
export type MessagesPage = z.infer<typeof messagesPageSchema>
