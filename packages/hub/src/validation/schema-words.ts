import type { JsonObject } from '@dataagent/schema'
import { quote } from './field-path.ts'

const descriptionMax = 80
const choicesMax = 12
const namesMax = 8

/** What a schema asks for, in words for a model: `a string (order number)`. */
export function describeSchema(schema: unknown): string {
  if (schema === true) return 'any value'
  if (!isSchemaObject(schema)) return 'nothing'
  const words = toWords(schema)
  const note = toNote(schema)
  return note === '' ? words : `${words} (${note})`
}

/** The values of an `enum`, bounded. */
export function describeChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, choicesMax).map(quote)
  const more = choices.length - shown.length
  return `${shown.join(' | ')}${more > 0 ? ` or ${more} more` : ''}`
}

function toWords(schema: JsonObject): string {
  if (schema.const !== undefined) return quote(schema.const)
  if (Array.isArray(schema.enum)) return describeChoices(schema.enum)
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  if (Array.isArray(types)) return types.map((type) => toTypeWords(type, schema)).join(' or ')
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches) && branches.length > 0) {
    return [...new Set(branches.slice(0, namesMax).map(toBranchWords))].join(' or ')
  }
  if (isSchemaObject(schema.properties)) return toTypeWords('object', schema)
  return 'another value'
}

function toBranchWords(branch: unknown): string {
  return isSchemaObject(branch) ? toWords({ ...branch, anyOf: null, oneOf: null }) : 'another value'
}

function toTypeWords(type: unknown, schema: JsonObject): string {
  if (type === 'array') return toArrayWords(schema)
  if (type === 'object') return toObjectWords(schema)
  if (type === 'boolean') return 'true or false'
  if (type === 'integer') return 'an integer'
  if (type === 'null') return 'null'
  return type === 'string' && typeof schema.format === 'string'
    ? `a string in the format ${cut(schema.format, 40)}`
    : `a ${type}`
}

function toArrayWords({ items }: JsonObject): string {
  if (!isSchemaObject(items) || typeof items.type !== 'string') return 'an array'
  return `an array of ${items.type === 'boolean' ? 'boolean' : items.type}s`
}

function toObjectWords({ required }: JsonObject): string {
  if (!Array.isArray(required) || required.length === 0) return 'an object'
  const names = required.slice(0, namesMax).map((name) => cut(String(name), 40))
  return `an object with ${names.join(', ')}${required.length > names.length ? ', …' : ''}`
}

function toNote({ description, title }: JsonObject): string {
  const text = typeof description === 'string' ? description : title
  return typeof text === 'string' ? cut(text, descriptionMax) : ''
}

/** On one line, without characters that cannot be seen. */
export function cut(text: string, max: number): string {
  const line = text
    .slice(0, max * 4)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line
}

export function isSchemaObject(schema: unknown): schema is JsonObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}
