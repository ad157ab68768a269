import type { z } from 'zod'
import { parseAs } from '../field-errors.ts'
import { isPlainObject, jsonDepthMax } from '../judge-json.ts'
import type { JsonObject } from '../parse-json.ts'
import { readJson } from '../read-json.ts'
import { type AnyEvent, eventSchemas, unknownEventSchema } from './execution-event.ts'

const schemaByType = new Map<unknown, z.ZodType<AnyEvent>>(
  eventSchemas.map((schema) => [schema.shape.event_type.value, schema]),
)

/** An event may hold a value of any accepted depth, at the deepest in `todos[0].more`. */
export const eventDepthMax = jsonDepthMax + 3

/** The event as a plain JSON object. */
export function toDict(event: AnyEvent): JsonObject {
  return { ...event } as unknown as JsonObject
}

/**
 * Rebuilds an event from its JSON by `event_type`. Fields and kinds that this version does not know
 * are kept; a known field of the wrong shape is an AppError `invalid_request` that names it.
 */
export function parseEvent(value: unknown): AnyEvent {
  const type = isPlainObject(value) ? value.event_type : undefined
  const schema = schemaByType.get(type)
  if (schema === undefined) return parseAs(unknownEventSchema, value, 'event')
  return parseAs(schema, value, `${type} event`)
}

/** Rebuilds an event from JSON text, as a log or a socket holds it; also `parse_error`. */
export function parseEventText(text: string): AnyEvent {
  return parseEvent(readJson(text, { what: 'event', depthMax: eventDepthMax }))
}
