import { z } from 'zod'
import { openObject } from '../open-object.ts'
import { timestamp } from '../scalars.ts'
import {
  doneEventSchema,
  errorEventSchema,
  fileOperationEventSchema,
  hitlRequestEventSchema,
  textEventSchema,
  todoUpdateEventSchema,
  toolCallEventSchema,
  toolResultEventSchema,
} from './execution-events.ts'
import {
  approvalDecidedEventSchema,
  citationsEventSchema,
  reasoningEventSchema,
  resultBlockEventSchema,
  sessionStateEventSchema,
  summaryEventSchema,
  toolStartedEventSchema,
  toolsMatchedEventSchema,
  usageEventSchema,
  userMessageEventSchema,
} from './session-events.ts'

/**
 * Every kind this version knows. Kinds and optional fields may be added; a kind's fields and the
 * values of its closed lists (`status`, `operation`…) never change their meaning or grow: that is a
 * new kind or a new field.
 */
export const eventSchemas = [
  textEventSchema,
  toolCallEventSchema,
  toolResultEventSchema,
  hitlRequestEventSchema,
  todoUpdateEventSchema,
  fileOperationEventSchema,
  errorEventSchema,
  doneEventSchema,
  userMessageEventSchema,
  toolStartedEventSchema,
  approvalDecidedEventSchema,
  sessionStateEventSchema,
  usageEventSchema,
  summaryEventSchema,
  reasoningEventSchema,
  toolsMatchedEventSchema,
  resultBlockEventSchema,
  citationsEventSchema,
] as const

export type ExecutionEvent = z.infer<(typeof eventSchemas)[number]>
export type EventType = ExecutionEvent['event_type']

/** The kinds this version knows. */
export const eventTypes: ReadonlySet<string> = new Set(
  eventSchemas.map((schema) => schema.shape.event_type.value),
)

/** An event of a kind that a newer version added: kept whole and passed on, never acted upon. */
export const unknownEventSchema = openObject({
  event_type: z
    .string()
    .min(1)
    .refine((type) => !eventTypes.has(type)),
  timestamp,
})
export type UnknownEvent = z.infer<typeof unknownEventSchema>
export type AnyEvent = ExecutionEvent | UnknownEvent

/**
 * Any event, as schema: for contracts that hold events. To parse one event, `parseEvent` is faster.
 */
export const anyEventSchema: z.ZodType<AnyEvent> = z.union([
  z.discriminatedUnion('event_type', eventSchemas),
  unknownEventSchema,
])

/** Whether this version knows the event's kind. Ask before a switch over `event_type`. */
export function isKnownEvent<E extends AnyEvent>(event: E): event is E & ExecutionEvent {
  return eventTypes.has(event.event_type)
}
