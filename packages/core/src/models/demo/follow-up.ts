import type { ModelMessage } from '../contract.ts'
import { toolOf } from './after-results.ts'
import { texts } from './demo-texts.ts'
import { fillFromAnswer } from './fill-from-answer.ts'
import { findNamed } from './find-named.ts'
import { type Question, readQuestion } from './question.ts'
import { type DemoReply, say } from './reply.ts'
import { type Field, readFields, toPlainField } from './schema-fields.ts'
import { answerSmallTalk } from './small-talk.ts'
import { type Asked, callOrAsk, fillFor } from './use-tool.ts'

const dropping =
  /^\s{0,8}(?:算了|取消|不用了|不要了|没事了|never ?mind|cancel|forget it|stop)[\s.!。！]{0,8}$/iu

/**
 * Takes the message at `index` as the answer to this model's own question, where it had asked one;
 * undefined where the user has gone on to something else.
 */
export function answerFollowUp(
  messages: readonly ModelMessage[],
  index: number,
  asked: Asked,
): DemoReply | undefined {
  const question = readQuestion(messages[index - 1])
  if (!question) return undefined
  if (dropping.test(asked.text)) return say(texts.dropped[asked.language])
  const other = findNamed(asked.text, asked.known.all)
  if ((other && other.name !== question.tool) || answerSmallTalk(asked)) return undefined
  const fields = fieldsOf(question, asked)
  const wanted = wantedOf({ question, fields })
  const before = argumentsBefore(messages, index - 1, { question, fields })
  const { args, missing } = fillFromAnswer(asked.text, wanted)
  if (missing.length === wanted.length) return undefined
  return callOrAsk(question.tool, { args: { ...before, ...args }, missing }, asked)
}

function fieldsOf({ tool, fields }: Question, { known }: Asked): Field[] {
  const all = readFields(known.given.get(tool)?.parameters ?? known.schemas.get(tool))
  const names = new Set(all.map(({ name }) => name))
  return [...all, ...fields.filter((name) => !names.has(name)).map(toPlainField)]
}

interface Sought {
  question: Question
  fields: readonly Field[]
}

/** The fields that a question asks for: its answer has to give them. */
function wantedOf({ question, fields }: Sought): Field[] {
  return fields
    .filter(({ name }) => question.fields.includes(name))
    .map((field) => ({ ...field, isRequired: true }))
}

/**
 * What the messages before the question have given: by a call that did not fit, or in words, of
 * which each answer to an earlier question is read as it was then.
 */
function argumentsBefore(
  messages: readonly ModelMessage[],
  from: number,
  { question, fields }: Sought,
): Record<string, unknown> {
  for (let index = from - 1; index >= 0 && index > from - lookBack; index--) {
    const message = messages[index]!
    if (message.role === 'user') return saidBefore(messages, index, { question, fields })
    const call =
      message.role === 'assistant' &&
      message.tool_calls.find((one) => toolOf(one) === question.tool)
    if (call)
      return without(
        call.name === 'call_tool' ? call.arguments.arguments : call.arguments,
        question.fields,
      )
  }
  return {}
}

function saidBefore(
  messages: readonly ModelMessage[],
  index: number,
  { question, fields }: Sought,
): Record<string, unknown> {
  const text = messages[index]!.content
  const before = readQuestion(messages[index - 1])
  if (before?.tool !== question.tool) {
    const others = fields.filter(({ name }) => !question.fields.includes(name))
    return fillFor({ name: question.tool }, text, others).args
  }
  const sought = { question: before, fields }
  const { args } = fillFromAnswer(text, wantedOf(sought))
  return { ...argumentsBefore(messages, index - 1, sought), ...args }
}

/** Messages of one run that are looked at. */
const lookBack = 40

function without(args: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(args)).filter(([name]) => !fields.includes(name)))
}
