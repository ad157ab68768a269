import type { JsonObject, JsonValue } from '@dataagent/schema'

/** What one value of a form is like. */
export type Field = {
  label: string
  about: string
  isRequired: boolean
  /** What the schema gives where nothing is written. */
  initial: JsonValue | undefined
} & (
  | { kind: 'text'; isLong: boolean }
  | { kind: 'number'; isInteger: boolean }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: readonly JsonValue[] }
  | { kind: 'list'; item: Field }
  | { kind: 'group'; fields: readonly NamedField[] }
  /** Whatever no form can show: written as JSON. */
  | { kind: 'json' }
)

export interface NamedField {
  name: string
  field: Field
}

const depthMax = 6
const fieldsMax = 100

interface Place {
  label: string
  isRequired: boolean
  /** Where `$ref` points into. */
  root: JsonObject
  /** Those that were followed on the way here: none is followed again. */
  refs: readonly string[]
  depth: number
}

/** The form for a tool's arguments. Never throws: what it does not understand is a `json` field. */
export function toForm(inputSchema: JsonObject): Field {
  return toField(inputSchema, {
    label: '',
    isRequired: true,
    root: inputSchema,
    refs: [],
    depth: 0,
  })
}

function toField(given: JsonValue | undefined, place: Place): Field {
  const { schema, refs } = simplify(given, place)
  const inner = { ...place, refs, depth: place.depth + 1 }
  const about = typeof schema?.description === 'string' ? schema.description : ''
  const title = typeof schema?.title === 'string' ? schema.title : ''
  const base = {
    ...{ label: place.label || title, about, isRequired: place.isRequired },
    initial: schema?.default,
  }
  if (!schema || place.depth > depthMax) return { ...base, kind: 'json' }
  const options = optionsOf(schema)
  if (options) return { ...base, kind: 'choice', options }
  switch (typeOf(schema)) {
    case 'string':
      return { ...base, kind: 'text', isLong: Number(schema.maxLength ?? 0) > 200 }
    case 'number':
      return { ...base, kind: 'number', isInteger: false }
    case 'integer':
      return { ...base, kind: 'number', isInteger: true }
    case 'boolean':
      return { ...base, kind: 'boolean' }
    case 'array':
      return { ...base, ...toList(schema, inner) }
    case 'object':
      return { ...base, ...toGroup(schema, inner) }
    default:
      return { ...base, kind: 'json' }
  }
}

function toList({ items, prefixItems }: JsonObject, inner: Place) {
  if (!isObject(items) || prefixItems !== undefined) return { kind: 'json' } as const
  const item = toField(items, { ...inner, label: '', isRequired: true })
  return { kind: 'list', item } as const
}

function toGroup({ properties, required, additionalProperties }: JsonObject, inner: Place) {
  const entries = Object.entries(isObject(properties) ? properties : {})
  const isOpen = entries.length === 0 && inner.depth > 1 && additionalProperties !== false
  if (isOpen || entries.length > fieldsMax) return { kind: 'json' } as const
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = entries.map(([name, schema]) => ({
    name,
    field: toField(schema, { ...inner, label: name, isRequired: needed.has(name) }),
  }))
  return { kind: 'group', fields } as const
}

interface Simple {
  schema: JsonObject | undefined
  refs: readonly string[]
}

/** Follows `$ref`, and takes `null` and a union of one away. */
function simplify(given: JsonValue | undefined, { root, refs: before }: Place): Simple {
  let schema = given
  let refs = before
  for (let step = 0; step < depthMax; step += 1) {
    if (!isObject(schema)) return { schema: undefined, refs }
    const { $ref: ref, anyOf, oneOf, ...beside }: JsonObject = schema
    if (typeof ref === 'string' && refs.includes(ref)) return { schema: undefined, refs }
    const next = typeof ref === 'string' ? find(ref, root) : theOne(anyOf ?? oneOf)
    if (next === undefined) return { schema, refs }
    if (typeof ref === 'string') refs = [...refs, ref]
    schema = isObject(next) ? { ...next, ...beside } : next
  }
  return { schema: undefined, refs }
}

function theOne(union: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(union)) return undefined
  const others = union.filter((each) => !isObject(each) || each.type !== 'null')
  return others.length === 1 && others.length < union.length ? others[0] : undefined
}

function find(ref: string, root: JsonObject): JsonValue | undefined {
  if (ref === '#' || !ref.startsWith('#/')) return undefined
  const steps = ref.slice(2).split('/')
  return steps.reduce<JsonValue | undefined>((at, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}

function optionsOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const union = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(union)) return undefined
  const fixed = union.flatMap((each) =>
    isObject(each) && each.const !== undefined ? [each.const] : [],
  )
  return fixed.length === union.length ? fixed : undefined
}

function typeOf({ type, properties, items }: JsonObject): JsonValue | undefined {
  if (Array.isArray(type)) {
    const others = type.filter((each) => each !== 'null')
    return others.length === 1 ? others[0] : undefined
  }
  if (type !== undefined) return type
  if (isObject(properties)) return 'object'
  return isObject(items) ? 'array' : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
