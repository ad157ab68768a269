import { z } from 'zod'
import { wholeNumber } from '../scalars.ts'
import { isText, type SentEvent } from './logged-event.ts'

/**
 * How far a client has come: it has every event before `seq`, and of the text at `seq` the first
 * `offset` units.
 */
export const resumePointSchema = z.strictObject({
  seq: wholeNumber,
  offset: wholeNumber.default(0),
})
export type ResumePoint = z.infer<typeof resumePointSchema>

/** Where a client stands that has received nothing. */
export const resumeStart: ResumePoint = { seq: 0, offset: 0 }

/** Where a client stands once it has `event`. */
export function toResumePoint(event: SentEvent): ResumePoint {
  const offset = isText(event) ? (event.offset ?? 0) + event.content.length : 0
  return { seq: event.seq, offset }
}

/**
 * What of `event` a client at `point` still lacks; undefined when nothing. A text event at the
 * point itself comes with its rest even where that is empty, because its `is_final` may be news.
 *
 * Text that was sent and never logged, because its process died, leaves its `seq` to another event:
 * one that is no text, or one that `restarts`. Such an event comes whole.
 */
export function restAfter(event: SentEvent, point: ResumePoint): SentEvent | undefined {
  if (event.seq > point.seq) return event
  if (event.seq < point.seq) return undefined
  if (!isText(event)) return point.offset > 0 ? event : undefined
  const from = event.offset ?? 0
  if (event.restarts && from === 0) return event
  const offset = Math.max(from, point.offset)
  return { ...event, offset, content: event.content.slice(offset - from) }
}
