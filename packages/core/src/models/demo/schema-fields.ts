import { isPlainObject } from '@dataagent/schema'

/** A parameter of a tool, as far as rules can fill it. */
export interface Field {
  name: string
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  description: string
  /** What an enum allows; empty for anything. */
  values: readonly (string | number)[]
  /** `date`, `email`, `uri` and the like. */
  format: string
  isRequired: boolean
  /** Of an array: the schema of its items. */
  items: unknown
}

const fieldsMax = 100

/** The top-level parameters of an input schema, required ones first. Malformed ones are strings. */
export function readFields(schema: unknown): Field[] {
  if (!isPlainObject(schema) || !isPlainObject(schema.properties)) return []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = Object.entries(schema.properties)
    .slice(0, fieldsMax)
    .map(([name, property]) => toField(name, property, required.has(name)))
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter((f) => !f.isRequired)]
}

/** A parameter of which nothing is known but its name. */
export function toPlainField(name: string): Field {
  return toField(name, undefined, true)
}

const types: ReadonlySet<unknown> = new Set(['number', 'integer', 'boolean', 'array', 'object'])

function toField(name: string, property: unknown, isRequired: boolean): Field {
  const schema = isPlainObject(property) ? property : {}
  const type = [schema.type].flat().find((one) => types.has(one)) as Field['type'] | undefined
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []
  const isDate = typeof schema.pattern === 'string' && /\\d\{4\}.{0,3}\\d\{2\}/.test(schema.pattern)
  const format = typeof schema.format === 'string' ? schema.format : ''
  return {
    name,
    type: type ?? 'string',
    description: typeof schema.description === 'string' ? schema.description : '',
    values: values.filter((one) => typeof one === 'string' || typeof one === 'number'),
    format: isDate ? 'date' : format,
    isRequired: isRequired && !('default' in schema),
    items: schema.items,
  }
}
