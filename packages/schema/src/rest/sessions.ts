import { z } from 'zod'
import { anyEventSchema } from '../events/execution-event.ts'
import { eventPlaceSchema, type Logged } from '../events/logged-event.ts'
import { messageSchema } from '../messages.ts'
import { runInfoSchema, runStatusSchema } from '../runs.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { serversOffSchema, sessionStatusSchema } from '../sessions.ts'
import { pageFields, pageQuerySchema, queryFlag } from './page.ts'

const title = z.string().trim().max(200)

/** A session as it is listed. */
export const sessionInfoSchema = z.object({
  session_id: id,
  user_id: id,
  assistant_id: id,
  created_at: timestamp,
  last_active: timestamp,
  title: z.string().exactOptional(),
  status: sessionStatusSchema.exactOptional(),
  auto_approve: z.boolean().exactOptional(),
  servers_off: serversOffSchema.exactOptional(),
})
export type SessionInfo = z.infer<typeof sessionInfoSchema>

/** GET /api/v1/sessions; `q` is a text that the title or a message holds. */
export const sessionsQuerySchema = pageQuerySchema.extend({
  q: z.string().trim().min(1).max(200).exactOptional(),
})
export type SessionsQuery = z.infer<typeof sessionsQuerySchema>

export const sessionsPageSchema = z.object({ sessions: z.array(sessionInfoSchema), ...pageFields })
export type SessionsPage = z.infer<typeof sessionsPageSchema>

/** POST /api/v1/sessions */
export const sessionCreateSchema = z.strictObject({
  assistant_id: id.exactOptional(),
  title: title.exactOptional(),
  servers_off: serversOffSchema.exactOptional(),
})
export type SessionCreate = z.infer<typeof sessionCreateSchema>

/** PATCH /api/v1/sessions/{session_id}: what is absent stays as it is. */
export const sessionUpdateSchema = z.strictObject({
  title: title.exactOptional(),
  auto_approve: z.boolean().exactOptional(),
  servers_off: serversOffSchema.exactOptional(),
})
export type SessionUpdate = z.infer<typeof sessionUpdateSchema>

/** POST /api/v1/sessions/{session_id}/fork: a new session with the log up to `through_seq`. */
export const sessionForkSchema = z.strictObject({
  through_seq: z.int().positive().exactOptional(),
  title: title.exactOptional(),
})
export type SessionFork = z.infer<typeof sessionForkSchema>

/**
 * POST /api/v1/sessions/{session_id}/compact: what the model reads of it from now on is shorter,
 * unless there was nothing to shorten. Tokens are estimates; `seq` is that of the summary.
 */
export const compactResponseSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('compacted'),
    seq: wholeNumber,
    tokens_before: wholeNumber,
    tokens_after: wholeNumber,
  }),
  z.object({ status: z.literal('nothing_to_do') }),
])
export type CompactResponse = z.infer<typeof compactResponseSchema>

/** GET /api/v1/sessions/{session_id}/context: what the next message's model call would read. */
export const contextWeightSchema = z.object({
  model: z.string(),
  window: wholeNumber.meta({ description: "Tokens of the model's context window" }),
  system: wholeNumber.meta({ description: 'Estimated tokens of the system prompt' }),
  tools: wholeNumber.meta({ description: 'Estimated tokens of what is said of tools' }),
  history: wholeNumber.meta({ description: 'Estimated tokens of the messages' }),
  messages: wholeNumber,
})
export type ContextWeight = z.infer<typeof contextWeightSchema>

/** GET /api/v1/sessions/{session_id}/messages, oldest first. */
export const messagesPageSchema = z.object({ messages: z.array(messageSchema), ...pageFields })
export type MessagesPage = z.infer<typeof messagesPageSchema>

/** GET /api/v1/sessions/{session_id}/events: those after the one at `after_seq`. */
export const eventsQuerySchema = z.strictObject({
  after_seq: z.coerce.number().int().min(0).default(0),
  limit: pageQuerySchema.shape.limit,
})
export type EventsQuery = z.infer<typeof eventsQuerySchema>

/** `head` is the newest row of the log; `more` says whether rows follow these. */
export const eventsPageSchema = z.object({
  events: z.array(
    z.intersection(anyEventSchema, eventPlaceSchema) as unknown as z.ZodType<Logged, Logged>,
  ),
  head: wholeNumber,
  more: z.boolean(),
})
export type EventsPage = z.infer<typeof eventsPageSchema>

/** GET /api/v1/sessions/{session_id}/export */
export const sessionExportQuerySchema = z.strictObject({
  format: z.enum(['json', 'markdown']).default('json'),
})
export type SessionExportQuery = z.infer<typeof sessionExportQuerySchema>

/** GET /api/v1/runs: one's own; of an administrator with `all=true` those of the tenant. */
export const runsQuerySchema = pageQuerySchema.extend({
  status: runStatusSchema.exactOptional(),
  user_id: id.exactOptional(),
  all: queryFlag.exactOptional(),
})
export type RunsQuery = z.infer<typeof runsQuerySchema>

/** Newest first. */
export const runsPageSchema = z.object({ runs: z.array(runInfoSchema), ...pageFields })
export type RunsPage = z.infer<typeof runsPageSchema>
