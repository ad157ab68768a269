import type { Schema } from '../../apps/server/src/models/document.ts'
import { nameInRef } from '../../apps/server/src/models/refs.ts'

interface Field {
  path: string
  types: string[]
  about: string
  required: boolean
}

/** The fields of a schema as a table; its type alone where it has none. */
export function toTable(schema: Schema, leftOut: readonly string[] = []): string[] {
  const fields = merge(fieldsOf(schema)).filter(({ path }) => !leftOut.includes(path))
  if (fields.length === 0) return [toType(schema)]
  const rows = fields.map(({ path, types, about, required }) => {
    const name = `\`${path}\`${required ? '' : ' ?'}`
    return `| ${name} | ${types.join(' or ')} |${about && ` ${escapeCell(about)}`} |`
  })
  return ['| field | type | |', '| --- | --- | --- |', ...rows]
}

/** A schema in a few words; one that has a name as a link to it. */
export function toType(schema: Schema): string {
  const name = nameInRef(schema.$ref)
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`
  const choices = choicesOf(schema)
  if (choices.length > 0) return [...new Set(choices.map(toType))].join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map(quote).join(', ')
  if ('const' in schema) return quote(schema.const)
  if (schema.type === 'array') return `list of ${toType((schema.items ?? {}) as Schema)}`
  if (isTime(schema)) return 'time'
  if (schema.pattern === idPattern) return 'id'
  return [schema.type ?? 'any JSON'].flat().join(' or ')
}

export function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

const idPattern = '^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$'
const timeText = 'Milliseconds since 1970-01-01T00:00:00Z'

const isTime = (schema: Schema) => schema.description === timeText
const quote = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function choicesOf(schema: Schema): Schema[] {
  return [schema.anyOf ?? schema.oneOf ?? []].flat() as Schema[]
}

/** The fields of an object, those of objects in it after it. */
function fieldsOf(schema: Schema, path = ''): Field[] {
  if (schema.type === 'array') return fieldsOf((schema.items ?? {}) as Schema, `${path}[]`)
  const required = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const rows = own.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    const about = isTime(field) ? '' : [field.description ?? []].flat().join('')
    const row = { path: at, types: [toType(field)], about, required: required.includes(name) }
    return [row, ...fieldsOf(field, at)]
  })
  const choices = choicesOf(schema).map((choice) => fieldsOf(choice, path))
  return [...rows, ...inEvery(choices.filter((fields) => fields.length > 0))]
}

/** What some of the choices have not got may be absent. */
function inEvery(choices: readonly Field[][]): Field[] {
  const has = (fields: readonly Field[], path: string) =>
    fields.some((field) => field.path === path)
  return choices.flat().map((field) => ({
    ...field,
    required: field.required && choices.every((fields) => has(fields, field.path)),
  }))
}

/** What stands in several choices under one name is one field of several types. */
function merge(fields: readonly Field[]): Field[] {
  const all = Map.groupBy(fields, ({ path }) => path)
  return [...all.values()].map((same) => ({
    path: `${same[0]?.path}`,
    types: [...new Set(same.flatMap(({ types }) => types))],
    about: [...new Set(same.map(({ about }) => about))].filter(Boolean).join(' '),
    required: same.every(({ required }) => required),
  }))
}
