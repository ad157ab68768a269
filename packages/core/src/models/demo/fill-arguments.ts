import { toSubject } from './message-subject.ts'
import { readNamed, toTyped } from './named-values.ts'
import type { Field } from './schema-fields.ts'
import { toPattern } from './to-pattern.ts'
import { readValues, type Values } from './values.ts'
import { findChoice } from './word-list.ts'

/** How far a message fills a tool's parameters. */
export interface Filled {
  args: Record<string, unknown>
  missing: readonly Field[]
}

/** Longer messages are read to here. */
export const textMax = 20_000

/**
 * Fills parameters from a message: what it names, then what looks like a value of the right kind,
 * then, for the one text that is left to fill, what is left of the message.
 */
export function fillArguments(text: string, fields: readonly Field[]): Filled {
  const { args, rest } = readNamed(text.slice(0, textMax), fields)
  const values = readValues(rest)
  const open = () => fields.filter(({ name }) => !Object.hasOwn(args, name))
  const put = (field: Field, value: unknown) => {
    if (value !== undefined) args[field.name] = value
  }
  for (const field of open()) put(field, takeByKind(field, values, rest))
  const missing = open().filter(({ isRequired }) => isRequired)
  const texts = missing.filter((field) => isFree(field) && !isCommand(field))
  for (const field of texts)
    put(field, values.quoted.length > 0 ? toTyped(values.quoted.shift() ?? '', field) : undefined)
  const [last, ...others] = open().filter((field) => texts.includes(field))
  if (last && others.length === 0 && !isSpecial(last))
    put(last, toTyped(toSubject(values.rest), last))
  return { args, missing: open().filter(({ isRequired }) => isRequired) }
}

function isFree({ type, values }: Field): boolean {
  return (type === 'string' || type === 'array') && values.length === 0
}

/** A command line: taken to the letter, never put together from what a message has. */
export function isCommand({ name, type, values }: Field): boolean {
  return type === 'string' && values.length === 0 && /^(?:command|cmd|command_?line)$/i.test(name)
}

/** A value that has a form of its own: not any text will do. */
export function isSpecial(field: Field): boolean {
  return kindOf(field) !== undefined
}

type Kind = 'dates' | 'emails' | 'urls' | 'paths' | 'ids'

const kinds: readonly (readonly [Kind, RegExp, RegExp])[] = [
  ['dates', /^date/, /(?:^|_)(?:date|day|since|until)$|^(?:from|to|start|end)(?:_date|_day)?$/],
  ['emails', /^(?:idn-)?email$/, /e?mail$|^recipient$/],
  ['urls', /^ur[il]/, /(?:^|_)(?:url|uri|link)$/],
  ['paths', /^path$/, /(?:^|_)(?:path|file|filename|directory|folder)$/],
  ['ids', /^uuid$/, /(?:^|_)(?:id|no|code|sku|key)$/],
]

/** The form that a value has by its field's format or name. */
export function kindOf({ type, format, name, values, description }: Field): Kind | undefined {
  if (type !== 'string' || values.length > 0) return undefined
  if (format !== '') return kinds.find(([, form]) => form.test(format))?.[0]
  const snake = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  const kind = kinds.find(([, , names]) => names.test(snake))?.[0]
  const isDate = kind !== 'dates' || /day|date|\d{4}-\d{2}/i.test(`${name} ${description}`)
  return isDate ? kind : undefined
}

function takeByKind(field: Field, values: Values, text: string): unknown {
  if (field.values.length > 0) return findChoice(text, field.values)
  if (field.type === 'integer' || field.type === 'number') return takeNumber(field, values, text)
  const kind = kindOf(field)
  if (kind === undefined) return undefined
  if (kind === 'ids') return takeId(field, values)
  return values[kind].shift()
}

const amounts = /(?:^|_)(?:limit|count|top|n|size|max|quantity|number|days|page)$/i
const counted = toPattern('i')`
  (?:前|最近|top|limit|first|last)\s{0,2}(\d{1,6})
  |(\d{1,6})\s{0,2}(?:条|个|件|行|天|items?|rows?|days?|pieces?|orders?|results?)`

/** An optional number is filled only where the message counts something. */
function takeNumber(field: Field, values: Values, text: string): number | undefined {
  const found = field.isRequired ? values.numbers[0] : countedIn(field, text)
  if (found === undefined || (field.type === 'integer' && !Number.isSafeInteger(found)))
    return undefined
  values.numbers.splice(values.numbers.indexOf(found), 1)
  return found
}

function countedIn({ name }: Field, text: string): number | undefined {
  const found = amounts.test(name) ? counted.exec(text) : null
  return found ? Number(found[1] ?? found[2]) : undefined
}

/** An id is taken where its first letters are those of the field or of its example. */
function takeId({ name, description, isRequired }: Field, values: Values): string | undefined {
  const hints = `${name} ${description}`.toLowerCase()
  const fits = (id: string) => hints.includes(lettersOf(id))
  const found =
    values.ids.find(fits) ?? (isRequired && !/\w-\d/.test(description) ? values.ids[0] : undefined)
  if (found !== undefined) values.ids.splice(values.ids.indexOf(found), 1)
  return found
}

function lettersOf(id: string): string {
  return (/^[a-z]+/i.exec(id)?.[0] ?? '').toLowerCase()
}
