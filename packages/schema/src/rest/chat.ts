import { z } from 'zod'
import { anyEventSchema } from '../events/execution-event.ts'
import { id } from '../scalars.ts'
import { queryFlag } from './page.ts'

/** The longest message a user may send, in UTF-16 code units. */
export const messageMax = 200_000

/**
 * POST /api/v1/chat. Without a session a new one begins; without an assistant the default one
 * answers. A repeated `message_id` is the same message: it is answered once.
 */
export const chatRequestSchema = z.strictObject({
  message: z.string().min(1).max(messageMax),
  session_id: id.exactOptional(),
  assistant_id: id.exactOptional(),
  message_id: id.exactOptional(),
})
export type ChatRequest = z.infer<typeof chatRequestSchema>

/** With `stream=true` the events come one by one, as text/event-stream. */
export const chatQuerySchema = z.strictObject({ stream: queryFlag.exactOptional() })
export type ChatQuery = z.infer<typeof chatQuerySchema>

/** The turn's events, in order, when it has ended. */
export const chatResponseSchema = z.object({ session_id: id, events: z.array(anyEventSchema) })
export type ChatResponse = z.infer<typeof chatResponseSchema>

/** POST /api/v1/chat/{session_id}/cancel. `cancelled` is false where nothing ran. */
export const cancelResponseSchema = z.object({ session_id: id, cancelled: z.boolean() })
export type CancelResponse = z.infer<typeof cancelResponseSchema>
