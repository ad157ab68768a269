import type { z } from 'zod'
import { AppError } from './errors.ts'
import { describeValue, type JsonFault } from './judge-json.ts'

/**
 * One field that does not fit: where, what was expected, what came. Never quotes a value that may
 * be a secret.
 */
export interface FieldError {
  /** As a JavaScript expression: `todos[0].status`; empty for the whole. */
  path: string
  expected: string
  got: string
}

type Issue = z.core.$ZodIssue

const errorsMax = 20
const errorsInMessage = 3
const quotedMax = 60

/**
 * Parses `value` at an edge; what does not fit is an AppError whose `data.errors` lists the fields.
 */
export function parseAs<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw toFieldsError(what, toFieldErrors(parsed.error, value))
}

/** The fields of `value` that `error` is about, at most 20. */
export function toFieldErrors(error: z.core.$ZodError, value: unknown): FieldError[] {
  return error.issues.flatMap((issue) => fromIssue(issue, value)).slice(0, errorsMax)
}

/** The AppError for values that JSON cannot hold. */
export function toInvalidRequest(what: string, faults: JsonFault[]): AppError {
  return toFieldsError(
    what,
    faults.map(({ path, expected, got }) => ({ path: toPath(path), expected, got })),
  )
}

function toFieldsError(what: string, errors: FieldError[]): AppError {
  const told = errors.slice(0, errorsInMessage).map(toSentence)
  if (errors.length > told.length) told.push(`and ${errors.length - told.length} more`)
  const message = `the ${what} does not fit: ${told.join('; ')}`
  return new AppError('invalid_request', message, { data: { errors } })
}

function toSentence({ path, expected, got }: FieldError): string {
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`
}

function fromIssue(issue: Issue, value: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: toPath([...issue.path, key]),
      expected: 'no such field',
      got: describeValue(valueAt(value, [...issue.path, key])),
    }))
  }
  const first = issue.code === 'invalid_union' ? issue.errors[0] : undefined
  if (first) return first.flatMap((inner) => fromIssue(toOuterIssue(inner, issue.path), value))
  return [{ path: toPath(issue.path), expected: toExpected(issue), got: toGot(issue, value) }]
}

function toOuterIssue(inner: Issue, path: PropertyKey[]): Issue {
  return { ...inner, path: [...path, ...inner.path] }
}

function toExpected(issue: Issue): string {
  if (issue.code === 'invalid_type') return issue.expected === 'int' ? 'integer' : issue.expected
  if (issue.code === 'invalid_value') return issue.values.map(quote).join(' | ')
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options)) {
    return issue.options.map(quote).join(' | ')
  }
  if (issue.code === 'custom' && typeof issue.params?.expected === 'string') {
    return issue.params.expected
  }
  if (issue.code === 'too_big' && issue.inclusive !== false)
    return `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
  if (issue.code === 'too_small' && issue.inclusive !== false)
    return `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
  if (issue.code === 'invalid_key' && issue.issues[0]) return `name: ${toExpected(issue.issues[0])}`
  return issue.message.replace(/^(.*?expected |Invalid [^:]*: )/, '')
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = { string: ' character', array: ' item', object: ' field', record: ' field' }[origin]
  if (unit === undefined) return ''
  return count === 1 ? unit : `${unit}s`
}

function toGot(issue: Issue, value: unknown): string {
  if (issue.code === 'custom' && issue.params?.got) return String(issue.params.got)
  const got = valueAt(value, issue.path)
  const isChoice = issue.code === 'invalid_value' || issue.code === 'invalid_union'
  if (isChoice && typeof got === 'string') return quote(got)
  if (!issue.code.startsWith('too_')) return describeValue(got)
  // Of a query: text that was read as a number.
  if (typeof got === 'string' && 'origin' in issue && issue.origin === 'number')
    return got.slice(0, quotedMax)
  if (typeof got === 'string') return `string of ${got.length} characters`
  return typeof got === 'number' ? String(got) : describeValue(got)
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<PropertyKey, unknown>)[key]
  }
  return found
}

function toPath(path: PropertyKey[]): string {
  return path.reduce<string>((joined, key) => {
    if (typeof key === 'number') return `${joined}[${key}]`
    const name = String(key)
    const isPlain = name.length <= quotedMax && /^[A-Za-z_$][\w$]*$/.test(name)
    if (!isPlain) return `${joined}[${quote(name)}]`
    return joined === '' ? name : `${joined}.${name}`
  }, '')
}
