import { z } from 'zod'
import { id, timestamp } from './scalars.ts'

/**
 * One line of a session's history, as people read it. What a model is sent is a fold over the event
 * log.
 */
export const messageSchema = z.object({
  message_id: id,
  session_id: id,
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  created_at: timestamp,
})
export type Message = z.infer<typeof messageSchema>
