import { z } from 'zod'
import { eventTypes, type UnknownEvent } from '../events/execution-event.ts'
import { parseSentEvent, type SentEvent } from '../events/logged-event.ts'
import { eventDepthMax, parseEvent } from '../events/parse-event.ts'
import { parseAs } from '../field-errors.ts'
import { isPlainObject } from '../judge-json.ts'
import { openObject } from '../open-object.ts'
import { readJson } from '../read-json.ts'
import { errorResponseSchema } from '../rest/error-response.ts'
import { id, timestamp, wholeNumber } from '../scalars.ts'
import { sessionStatusSchema } from '../sessions.ts'

/** The first message on a socket. `seq` is the newest row of the session's log. */
const connected = openObject({
  event_type: z.literal('connected'),
  timestamp,
  session_id: id,
  seq: wholeNumber,
  status: sessionStatusSchema,
})

/** Everything up to `seq` has been sent again; what follows is live. */
const caughtUp = openObject({ event_type: z.literal('caught_up'), timestamp, seq: wholeNumber })

const pong = openObject({ event_type: z.literal('pong'), timestamp })

/** A client's message was not accepted. (An `error` is about a run; this is about a message.) */
const refused = openObject({
  event_type: z.literal('refused'),
  timestamp,
  ...errorResponseSchema.shape,
  retry_after_ms: wholeNumber.exactOptional(),
  in_reply_to: z.string().exactOptional().meta({ description: 'The type of that message' }),
})

/** An approval of the session was asked, decided or handed over: see it anew. */
const approvalChanged = openObject({
  event_type: z.literal('approval_changed'),
  timestamp,
  approval_id: id,
  status: z.enum(['pending', 'decided']),
})

/** The server is about to close the socket; come back after so long, here or at another. */
const goingAway = openObject({
  event_type: z.literal('going_away'),
  timestamp,
  retry_after_ms: wholeNumber,
})

/** The user's servers changed. It takes effect in the next session; lists should be read again. */
const mcpServersChanged = openObject({
  event_type: z.literal('mcp_servers_changed'),
  timestamp,
  server_name: z.string(),
  change: z.enum(['added', 'updated', 'removed', 'status']),
})

const notices = [
  connected,
  caughtUp,
  pong,
  refused,
  approvalChanged,
  goingAway,
  mcpServersChanged,
] as const

/** What the server says on a socket besides events. Never logged, never replayed. */
export const noticeSchema = z.discriminatedUnion('event_type', notices)
export type Notice = z.infer<typeof noticeSchema>

const noticeTypes = new Set<unknown>(notices.map((schema) => schema.shape.event_type.value))

/** A notice, an event (which has a `seq`), or a notice of a kind that a newer version added. */
export type ServerMessage = Notice | SentEvent | UnknownEvent

/** Whether `message` is a notice. */
export function isNotice(message: ServerMessage): message is Notice {
  return noticeTypes.has(message.event_type)
}

/** Reads a frame from the server. Kinds and fields of a newer version are kept. */
export function parseServerMessage(text: string): ServerMessage {
  const value = readJson(text, { depthMax: eventDepthMax })
  if (!isPlainObject(value)) return parseEvent(value)
  const { event_type, seq } = value
  if (noticeTypes.has(event_type)) return parseAs(noticeSchema, value, 'notice')
  if (seq !== undefined || eventTypes.has(String(event_type))) return parseSentEvent(value)
  return parseEvent(value)
}
