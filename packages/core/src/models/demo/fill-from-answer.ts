import {
  type Filled,
  fillArguments,
  isCommand,
  isSpecial,
  kindOf,
  textMax,
} from './fill-arguments.ts'
import { readNamed, toTyped } from './named-values.ts'
import type { Field } from './schema-fields.ts'
import { toCommand, toPlainCommand } from './to-command.ts'
import { unquoted } from './unquoted.ts'

/**
 * Fills the fields that were asked for from an answer: several that it lists in their order, those
 * that it names or that look like it, else the first one that can be all of it.
 */
export function fillFromAnswer(text: string, fields: readonly Field[]): Filled {
  const filled = fillProse(text, fields) ?? fillInOrder(text, fields) ?? fillArguments(text, fields)
  const { args, missing } = filled
  if (Object.keys(args).length > 0) return filled
  for (const field of missing) {
    const value = toAnswer(text.slice(0, textMax), field, missing.length === 1)
    if (value !== undefined)
      return { args: { [field.name]: value }, missing: missing.filter((one) => one !== field) }
  }
  return filled
}

const prose = /(?:content|body|text|note|comment|message|subject|title|string|summary)s?$/i

/** What people write is taken as they write it. */
function fillProse(text: string, fields: readonly Field[]): Filled | undefined {
  const [only, ...others] = fields
  if (!only || others.length > 0 || only.type !== 'string' || !prose.test(only.name))
    return undefined
  if (isSpecial(only) || Object.keys(readNamed(text, fields).args).length > 0) return undefined
  const value = toTyped(unquoted(text.trim().slice(0, textMax)), only)
  return value === undefined ? undefined : { args: { [only.name]: value }, missing: [] }
}

/** As many parts as fields are one for each; a comma may as well be a part of a text. */
function fillInOrder(text: string, fields: readonly Field[]): Filled | undefined {
  if (fields.length < 2 || text.length > textMax) return undefined
  const isText = fields.every((field) => field.type === 'string' && !isSpecial(field))
  const parts = text
    .split(isText ? /[、;；\n]+/u : /[、;；\n,，]+/u)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length !== fields.length) return undefined
  if (Object.keys(readNamed(text, fields).args).length > 0) return undefined
  const pairs = fields.map((field, index) => [field.name, toAnswer(parts[index]!, field, false)])
  if (pairs.some(([, value]) => value === undefined)) return undefined
  return { args: Object.fromEntries(pairs), missing: [] }
}

/** What can be an id, a date, a path: no sentence. */
const oneToken = /^\s*[^\s\p{Script=Han}]{1,200}\s*$/u
/** A path or an id may be any word; of these some sign is wanted where it may be another field. */
const signs = {
  ...{ dates: /\d/, emails: /@/, urls: /^https?:/i },
  ...{ paths: /^/, ids: /^/ },
} as const

function toAnswer(text: string, field: Field, isOnly: boolean): unknown {
  if (isCommand(field)) return toCommand(text) || toPlainCommand(text) || undefined
  const kind = kindOf(field)
  const isFile = kind === 'paths' && /^\S{1,200}\.[A-Za-z]\w{0,7}$/u.test(text.trim())
  if (kind && !isFile && (!oneToken.test(text) || !(isOnly || signs[kind].test(text.trim()))))
    return undefined
  return toTyped(text.trim().replace(/[。.!！]$/, ''), field)
}
