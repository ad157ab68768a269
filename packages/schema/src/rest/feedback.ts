import { z } from 'zod'
import { id, timestamp } from '../scalars.ts'
import { pageFields, pageQuerySchema } from './page.ts'

export const feedbackRatingSchema = z.enum(['up', 'down'])
export type FeedbackRating = z.infer<typeof feedbackRatingSchema>

/** `seq` is the number of the message that the turn began with. */
const seq = z.int().positive()

/** PUT /api/v1/sessions/{session_id}/turns/{seq}/feedback: it takes the place of the one before. */
export const feedbackWriteSchema = z.strictObject({
  rating: feedbackRatingSchema,
  reason: z.string().trim().max(2000).exactOptional(),
})
export type FeedbackWrite = z.infer<typeof feedbackWriteSchema>

/** What somebody thinks of a turn of theirs. */
export const feedbackSchema = z.object({
  session_id: id,
  seq,
  user_id: id,
  assistant_id: id,
  rating: feedbackRatingSchema,
  reason: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Feedback = z.infer<typeof feedbackSchema>

export const feedbackParamsSchema = z.strictObject({
  session_id: id,
  seq: z.coerce.number().int().positive(),
})

/** GET /api/v1/feedback: that of the tenant. */
export const feedbackQuerySchema = pageQuerySchema.extend({
  rating: feedbackRatingSchema.exactOptional(),
  user_id: id.exactOptional(),
  assistant_id: id.exactOptional(),
  tenant_id: id.exactOptional(),
})
export type FeedbackQuery = z.infer<typeof feedbackQuerySchema>

/** Of a session the newest turn first; of a tenant what was said last. */
export const feedbackPageSchema = z.object({ feedback: z.array(feedbackSchema), ...pageFields })
export type FeedbackPage = z.infer<typeof feedbackPageSchema>
