import { z } from 'zod'
import { parseAs } from '../field-errors.ts'
import { id, wholeNumber } from '../scalars.ts'
import type { AnyEvent } from './execution-event.ts'
import type { TextEvent } from './execution-events.ts'
import { parseEvent } from './parse-event.ts'

/**
 * Where an event stands: `seq` counts a session's log from 1 without gaps. `run_id` is absent
 * between runs.
 */
export const eventPlaceSchema = z.object({
  session_id: id,
  seq: z.int().positive(),
  run_id: id.exactOptional(),
})
export type EventPlace = z.infer<typeof eventPlaceSchema>

/**
 * An event as the log holds it and a client gets it: its place and its own fields in one object.
 */
export type Logged<E extends AnyEvent = AnyEvent> = E & EventPlace

/**
 * Text on its way to the log. It belongs to the text event that will be logged as `seq` and begins
 * `offset` UTF-16 code units into that event's content; without `offset` it is that event, whole.
 */
export type TextDelta = Logged<TextEvent> & { offset: number }
export type SentEvent = Logged | TextDelta

const sentPlace = eventPlaceSchema.extend({ offset: wholeNumber.exactOptional() })

/** Rebuilds a row of the log; errors as `parseEvent`. */
export function parseLoggedEvent(value: unknown): Logged {
  return parsePlaced(value, eventPlaceSchema, 'logged event') as Logged
}

/** Rebuilds an event that a server sent: a row of the log or a text delta. */
export function parseSentEvent(value: unknown): SentEvent {
  return parsePlaced(value, sentPlace, 'sent event') as SentEvent
}

/** An event keeps the fields it does not know, and so its place. */
function parsePlaced(value: unknown, schema: z.ZodType, what: string): AnyEvent {
  const event = parseEvent(value)
  parseAs(schema, event, what)
  return event
}

export function isText(event: SentEvent): event is Logged<TextEvent> & { offset?: number } {
  return event.event_type === 'text'
}
