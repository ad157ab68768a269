import type { JsonObject } from '@dataagent/schema'
import type { Steps } from './field-path.ts'
import { describeSchema } from './schema-words.ts'
import { describeGot } from './value-words.ts'

/** One thing that does not fit. */
export interface Finding {
  steps: Steps
  /** `type`: it is of another kind altogether. `choice`: it is none of the values that may be. */
  kind: 'type' | 'choice' | 'missing' | 'unknown' | 'other'
  expected: string
  got: string
}

/** A value, where it stands, and the schema that it is held against. */
export interface Place {
  schema: JsonObject
  value: unknown
  steps: Steps
}

/** What of `value` does not fit `schema`; nothing where it fits. */
export type Find = (schema: unknown, value: unknown, steps: Steps) => Finding[]

/** A finding in the words of the place's own schema, and `wish` where that says more. */
export function toFinding({ schema, value, steps }: Place, wish = ''): Finding {
  const words = describeSchema(schema)
  const expected = wish === '' ? words : words === 'another value' ? wish : `${words}, ${wish}`
  return { steps, kind: 'other', expected, got: describeGot(value, steps) }
}
