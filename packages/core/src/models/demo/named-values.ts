import { isPlainObject } from '@dataagent/schema'
import type { Field } from './schema-fields.ts'

/** Arguments that a message names, and what is left of it. */
export interface NamedValues {
  args: Record<string, unknown>
  rest: string
}

/** Takes a JSON object and `name=value`, `name: value` out of a message. */
export function readNamed(text: string, fields: readonly Field[]): NamedValues {
  const { args, rest } = takeJson(text, fields)
  return fields.reduce((taken, field) => takePair(taken, field), { args, rest })
}

function takeJson(text: string, fields: readonly Field[]): NamedValues {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  const value = start === -1 || end < start ? undefined : parse(text.slice(start, end + 1))
  if (!isPlainObject(value)) return { args: {}, rest: text }
  const names = new Set(fields.map(({ name }) => name))
  const own = Object.entries(value).filter(([name]) => names.size === 0 || names.has(name))
  return { args: Object.fromEntries(own), rest: `${text.slice(0, start)} ${text.slice(end + 1)}` }
}

function takePair({ args, rest }: NamedValues, field: Field): NamedValues {
  if (Object.hasOwn(args, field.name)) return { args, rest }
  const found = pairPattern(field.name).exec(rest)
  const value = found && toTyped(found[1] ?? found[2] ?? found[3] ?? '', field)
  if (!found || value === undefined) return { args, rest }
  const left = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`
  return { args: { ...args, [field.name]: value }, rest: left }
}

/** The name may be written `orderId`, `order_id` or `order id`. */
function pairPattern(name: string): RegExp {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+/u)
  const spelled = words
    .filter((word) => word !== '')

    .join('[ _-]?')
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${spelled || '(?!)'}\\s{0,2}(?:[=＝:：]|是|为|\\bis\\b)\\s{0,2}` +
      '(?:"([^"\\n]{0,4000})"|“([^”\\n]{0,4000})”|([^\\s,，;；、。"“]{1,4000}))',
    'iu',
  )
}

/** A text as a value of the field's type; undefined where it is none. */
export function toTyped(text: string, { type, values }: Field): unknown {
  const trimmed = text.trim()
  if (values.length > 0)
    return values.find((one) => `${one}`.toLowerCase() === trimmed.toLowerCase())
  if (type === 'string') return trimmed === '' ? undefined : trimmed
  if (type === 'boolean') return toBoolean(trimmed)
  if (type === 'array') return toList(trimmed)
  const value = type === 'object' ? parse(trimmed) : Number(trimmed || 'none')
  if (type === 'object') return isPlainObject(value) ? value : undefined
  const isFitting = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  return isFitting ? value : undefined
}

function toBoolean(text: string): boolean | undefined {
  if (/^(?:true|yes|on|是|开|要)$/i.test(text)) return true
  return /^(?:false|no|off|否|不|关|不要)$/i.test(text) ? false : undefined
}

function toList(text: string): unknown {
  const value = text.startsWith('[') ? parse(text) : undefined
  if (Array.isArray(value)) return value
  const items = text.split(/[,，、;；]/).map((item) => item.trim())
  return items.filter((item) => item !== '')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
