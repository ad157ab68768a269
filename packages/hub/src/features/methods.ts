import { isPlainObject, type JsonObject } from '@dataagent/schema'
import { logLevels } from '../upstreams/index.ts'

/** A method of servers that is no tool. */
export interface Method {
  /** What its parameters must be. */
  schema: JsonObject
  /** Another method that says whether this one is allowed. */
  judgedAs?: string
  /** Whether it counts in limits, and whether it is recorded too. */
  weight: 'none' | 'limited' | 'recorded'
}

const text = { type: 'string' }
const none = { type: 'object', properties: {} }
const texts = { type: 'object', additionalProperties: text }

const methods: Record<string, Method> = {
  'resources/list': { schema: none, weight: 'none' },
  'resources/templates/list': { schema: none, weight: 'none', judgedAs: 'resources/list' },
  'resources/read': { schema: toSchema({ uri: text }), weight: 'recorded' },
  'prompts/list': { schema: none, weight: 'none' },
  'prompts/get': { schema: toSchema({ name: text }, { arguments: texts }), weight: 'recorded' },
  'completion/complete': {
    schema: toSchema(
      { ref: toSchema({ type: text }), argument: toSchema({ name: text, value: text }) },
      { context: toSchema({}, { arguments: texts }) },
    ),
    weight: 'limited',
  },
  'logging/setLevel': {
    schema: toSchema({ level: { ...text, enum: [...logLevels] } }),
    weight: 'none',
  },
  'resources/subscribe': { schema: toSchema({ uri: text }), weight: 'none' },
}

export function findMethod(name: string): Method | undefined {
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** The parameters that the method knows. */
export function pickParams({ schema }: Method, params: unknown): Record<string, unknown> {
  const known = Object.keys(schema.properties as JsonObject)
  const given = isPlainObject(params) ? params : {}
  const entries = known.filter((key) => given[key] !== undefined).map((key) => [key, given[key]])
  return Object.fromEntries(entries)
}

function toSchema(required: JsonObject, optional: JsonObject = {}): JsonObject {
  const properties = { ...required, ...optional }
  return { type: 'object', properties, required: Object.keys(required) }
}
