import { z } from 'zod'
import { anyEventSchema } from '../events/execution-event.ts'
import { id } from '../scalars.ts'

/** The longest message a user may send, in UTF-16 code units. */
export const messageMax = 200_000

/**
 * POST /api/v1/chat. Without a session a new one begins; without an assistant the default one
 * answers.
 */
export const chatRequestSchema = z.strictObject({
  message: z.string().min(1).max(messageMax),
  session_id: id.exactOptional(),
  assistant_id: id.exactOptional(),
})
export type ChatRequest = z.infer<typeof chatRequestSchema>

/** The turn's events, in order, when it has ended. */
export const chatResponseSchema = z.object({ session_id: id, events: z.array(anyEventSchema) })
export type ChatResponse = z.infer<typeof chatResponseSchema>

/** POST /api/v1/chat/{session_id}/cancel. `cancelled` is false where nothing ran. */
export const cancelResponseSchema = z.object({ session_id: id, cancelled: z.boolean() })
export type CancelResponse = z.infer<typeof cancelResponseSchema>
