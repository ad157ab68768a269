import { isPlainObject, type Question, questionSchema, toFieldErrors } from '@dataagent/schema'
import { RE2JS } from 're2js'
import type { Fault } from './faults.ts'

/** One question as a text has it, and how an error speaks of it. */
export interface RawQuestion {
  value: unknown
  /** From 1. */
  number: number
  place(): string
}

const lists = ['expected_keywords', 'expected_tools', 'tags'] as const
const words = ['question_id', 'category', 'difficulty'] as const

/** The question, or what is wrong with it. */
export function toQuestion(raw: RawQuestion): Question | Fault[] {
  if (!isPlainObject(raw.value)) {
    return [{ place: raw.place(), message: 'expected an object with the field "question"' }]
  }
  const { id, ...fields } = withoutNulls(raw.value)
  if (id !== undefined && fields.question_id !== undefined) {
    return [{ place: raw.place(), message: 'has both "id" and "question_id"' }]
  }
  const question_id = id ?? fields.question_id ?? `q${raw.number}`
  const value = withTexts({ ...fields, question_id })
  const parsed = questionSchema.safeParse(value)
  if (parsed.success) return withPattern(parsed.data, raw)
  return toFieldErrors(parsed.error, value).map((error) => ({
    place: raw.place(),
    message: `${error.path}: expected ${error.expected}, got ${error.got}`,
    ...error,
  }))
}

function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** A list may be one item, and where only text makes sense a number is text. */
function withTexts(fields: Record<string, unknown>): Record<string, unknown> {
  const result = { ...fields }
  for (const name of lists) {
    if (result[name] === undefined) continue
    const items = Array.isArray(result[name]) ? result[name] : [result[name]]
    result[name] = items.map(toText)
  }
  for (const name of words) {
    if (result[name] !== undefined) result[name] = toText(result[name])
  }
  return result
}

function toText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.trim() : value
}

function withPattern(question: Question, raw: RawQuestion): Question | Fault[] {
  const { expected_pattern } = question
  if (question.question.trim() === '') {
    return [{ place: raw.place(), path: 'question', message: 'question: expected some text' }]
  }
  if (expected_pattern === null) return question
  try {
    RE2JS.compile(expected_pattern)
    return question
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : ''
    const message = `expected_pattern: expected a regular expression (RE2): ${why}`
    return [{ place: raw.place(), path: 'expected_pattern', message }]
  }
}
