import type { JsonObject, JsonValue } from '@dataagent/schema'
import type { Field } from './schema-field.ts'

/** What is written in a form, as texts: in the shape of its fields. */
export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue }

/** Why a text is no value of its kind. */
export type Fault = 'number' | 'integer' | 'json'

/** By path, as the server writes paths: `items[0].orderId`. */
export type Faults = Readonly<Record<string, Fault>>

export function emptyValue(field: Field): FormValue {
  if (field.initial !== undefined) return toValue(field, field.initial)
  if (field.kind === 'list') return []
  if (field.kind !== 'group') return ''
  // What need not be there at all begins without the defaults of what it holds.
  if (!field.isRequired) return toMissing(field)
  return Object.fromEntries(field.fields.map((each) => [each.name, emptyValue(each.field)]))
}

/** How the form shows a value; what does not fit its fields is lost. */
export function toValue(field: Field, json: JsonValue | undefined): FormValue {
  if (json === undefined) return field.kind === 'list' ? [] : toMissing(field)
  switch (field.kind) {
    case 'list':
      return Array.isArray(json) ? json.map((item) => toValue(field.item, item)) : []
    case 'group': {
      const held = (typeof json === 'object' && json !== null ? json : {}) as JsonObject
      return Object.fromEntries(
        field.fields.map((each) => [each.name, toValue(each.field, held[each.name])]),
      )
    }
    case 'choice': {
      const at = field.options.findIndex((one) => JSON.stringify(one) === JSON.stringify(json))
      return at < 0 ? '' : String(at)
    }
    case 'json':
      return JSON.stringify(json, null, 2)
    default:
      return typeof json === 'string' ? json : JSON.stringify(json)
  }
}

function toMissing(field: Field): FormValue {
  if (field.kind !== 'group') return ''
  return Object.fromEntries(field.fields.map((each) => [each.name, toValue(each.field, undefined)]))
}

interface Reading {
  args: JsonObject
  faults: Faults
}

/** The arguments that the form stands for. What is empty and need not be there is left out. */
export function readForm(form: Field, value: FormValue): Reading {
  const faults: Record<string, Fault> = {}
  const read = readValue(form, value, '', faults)
  return { args: (read ?? {}) as JsonObject, faults }
}

function readValue(
  field: Field,
  value: FormValue,
  path: string,
  faults: Record<string, Fault>,
): JsonValue | undefined {
  if (field.kind === 'list') {
    const items = (Array.isArray(value) ? value : []) as readonly FormValue[]
    if (items.length === 0 && !field.isRequired) return undefined
    return items.flatMap((item, i) => readValue(field.item, item, `${path}[${i}]`, faults) ?? [])
  }
  if (field.kind === 'group') {
    if (!field.isRequired && isBlank(value)) return undefined
    const held = value as { readonly [name: string]: FormValue }
    const entries = field.fields.flatMap(({ name, field: inner }) => {
      const read = readValue(inner, held[name] ?? '', toPath(path, name), faults)
      return read === undefined ? [] : [[name, read] as const]
    })
    return Object.fromEntries(entries)
  }
  return readText(field, String(value), (fault) => {
    faults[path] = fault
    return undefined
  })
}

function isBlank(value: FormValue): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return Object.values(value).every(isBlank)
}

type Fail = (fault: Fault) => undefined

function readText(field: Field, text: string, fail: Fail): JsonValue | undefined {
  if (field.kind === 'text') return text === '' && !field.isRequired ? undefined : text
  if (text.trim() === '') return undefined
  if (field.kind === 'boolean') return text === 'true'
  if (field.kind === 'choice') return field.options[Number(text)]
  if (field.kind === 'number') return readNumber(text, field.isInteger, fail)
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return fail('json')
  }
}

function readNumber(text: string, isInteger: boolean, fail: Fail): number | undefined {
  const number = Number(text)
  if (!Number.isFinite(number)) return fail('number')
  return isInteger && !Number.isInteger(number) ? fail('integer') : number
}

/** The path of a field within another. */
export function toPath(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]{0,59}$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
