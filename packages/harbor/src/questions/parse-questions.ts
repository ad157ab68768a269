import { AppError, isPlainObject, type Question, setNameMax } from '@dataagent/schema'
import type { QuestionSet } from '../contract.ts'
import { type Fault, toQuestionsError } from './faults.ts'
import { guessFormat, type QuestionFormat } from './format.ts'
import { fromPromptfoo, isPromptfoo } from './from-promptfoo.ts'
import { type ReadText, readJsonLines, readJsonText, readYamlText } from './read-text.ts'
import { type RawQuestion, toQuestion } from './to-question.ts'

const questionsMax = 100_000
/** A text of another kind has a fault in each line. */
const faultsMax = 100
const bytesMax = 64 * 1024 * 1024

export interface ParseOptions {
  /** For a text that does not give the set a name itself. */
  name: string
  /** Default: what the text looks like. */
  format?: QuestionFormat | undefined
}

/**
 * Questions from a text: a list of them or `{ name, questions }`, as JSON or YAML; JSON lines; or a
 * promptfoo configuration. Throws `parse_error` for what cannot be read, `too_large` beyond the
 * limits, and `invalid_request` with all that is wrong, each by question and line.
 */
export function parseQuestions(text: string, options: ParseOptions): QuestionSet {
  if (Buffer.byteLength(text) > bytesMax) throw tooLarge('64 MB')
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const read = readAs(plain, options.format ?? guessFormat(plain))
  const { name, items, path, what } = toItems(read.value)
  if (items.length === 0) throw new AppError('invalid_request', 'there is no question in it')
  if (name && name.length > setNameMax) throw tooLarge(`${setNameMax} characters in its name`)
  if (items.length > questionsMax) throw tooLarge(`${questionsMax} questions`)
  const raws = items.map((value, at) => ({
    ...{ value, number: at + 1 },
    place: () => toPlace(`${what} ${at + 1}`, path && read.lineOf([...path, at])),
  }))
  return { name: name ?? options.name, questions: toQuestions(raws) }
}

function readAs(text: string, format: QuestionFormat): ReadText {
  if (text.trim() === '') throw new AppError('invalid_request', 'there is no question in it')
  if (format === 'json') return readJsonText(text)
  return format === 'jsonl' ? readJsonLines(text) : readYamlText(text)
}

interface Items {
  name?: string
  items: unknown[]
  /** Where the items are in the text; undefined where they are made from others. */
  path?: string[]
  what: string
}

function toItems(value: unknown): Items {
  const what = 'question'
  if (Array.isArray(value)) return { items: value, path: [], what }
  if (isPromptfoo(value)) {
    const name = typeof value.description === 'string' ? { name: value.description } : {}
    return { ...name, items: fromPromptfoo(value), what: 'question' }
  }
  if (!isPlainObject(value) || !Array.isArray(value.questions)) {
    const message =
      'expected a list of questions, { name, questions }, or a promptfoo configuration'
    throw new AppError('invalid_request', message)
  }
  const { name, questions, ...rest } = value
  const faults = Object.keys(rest).map((field) => ({ place: field, message: 'no such field' }))
  if (name !== undefined && typeof name !== 'string') {
    faults.push({ place: 'name', message: 'expected a text' })
  }
  if (faults.length > 0) throw toQuestionsError(faults)
  const given = typeof name === 'string' && name.trim() !== '' ? { name: name.trim() } : {}
  return { ...given, items: questions, path: ['questions'], what }
}

function toQuestions(raws: readonly RawQuestion[]): Question[] {
  const faults: Fault[] = []
  const questions: Question[] = []
  const taken = new Map<string, number>()
  for (const raw of raws) {
    if (faults.length >= faultsMax) break
    const question = toQuestion(raw)
    if (Array.isArray(question)) {
      faults.push(...question)
      continue
    }
    const { question_id } = question
    const other = taken.get(question_id)
    if (other !== undefined) faults.push(toTaken(raw, question_id, other))
    taken.set(question_id, other ?? raw.number)
    questions.push(question)
  }
  if (faults.length > 0) throw toQuestionsError(faults)
  return questions
}

function toTaken(raw: RawQuestion, question_id: string, other: number): Fault {
  const message = `question_id: "${question_id}" is that of question ${other} too`
  return { place: raw.place(), path: 'question_id', message }
}

function toPlace(what: string, line: number | undefined): string {
  return line === undefined ? what : `${what} (line ${line})`
}

function tooLarge(limit: string): AppError {
  return new AppError('too_large', `a set has at most ${limit}`)
}
