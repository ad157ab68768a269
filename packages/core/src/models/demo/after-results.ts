import { isPlainObject } from '@dataagent/schema'
import type { ModelToolCall, ToolMessage } from '../contract.ts'
import { doesWhatIsSaid, findByWords } from './choose-tool.ts'
import { faultTexts, inWords, texts } from './demo-texts.ts'
import { asksByName, findNamed } from './find-named.ts'
import { isOwnName, parseJson, readDescription, readToolLines } from './known-tools.ts'
import { afterQuery, tellRows } from './own-data.ts'
import { afterRecall } from './own-memory.ts'
import { todosOf } from './own-todos.ts'
import { toQuestion } from './question.ts'
import { type DemoReply, say } from './reply.ts'
import { readFields, toPlainField } from './schema-fields.ts'
import { answerLost, askWhich } from './small-talk.ts'
import { summarise } from './summarise.ts'
import { type Asked, useTool } from './use-tool.ts'

/** A call of this run and what came of it. */
export interface Round {
  call: ModelToolCall
  result: ToolMessage
}

/** What follows from the results of the last calls: another call, or an answer. */
export function answerResults(rounds: readonly Round[], asked: Asked): DemoReply {
  const replies = rounds.map((round) => answerResult(round, asked))
  const calls = replies.flatMap((reply) => reply.calls)
  return { text: replies.map(({ text }) => text).join('\n\n'), calls }
}

function answerResult({ call, result }: Round, asked: Asked): DemoReply {
  const tool = toolOf(call)
  if (result.is_error) return say(toFaultText(call, result.content, asked))
  if (call.name === 'search_tools') return afterSearch(result.content, asked)
  if (call.name === 'describe_tool') return afterDescription(result.content, asked)
  if (call.name === 'recall') return afterRecall(result.content, asked)
  if (call.name === 'run_sql') return afterQuery(result.content, asked)
  if (call.name === 'make_chart' && asked.queried) return tellRows(asked.queried, asked)
  if (call.name === 'write_todos') return say(toPlanText(call, asked))
  return say(toResultText(tool, result.content, asked))
}

/** The tool that is meant where another one calls it. */
export function toolOf({ name, arguments: args }: ModelToolCall): string {
  return name === 'call_tool' && typeof args.name === 'string' ? args.name : name
}

function afterSearch(content: string, asked: Asked): DemoReply {
  const found = readToolLines(content).map((line) => asked.known.byName.get(line.name) ?? line)
  const named = findNamed(asked.text, found)
  if (!named && asksByName(asked.text)) return answerLost(asked)
  const fitting = named ?? findByWords(asked.text, found)
  if (fitting && (named || doesWhatIsSaid(asked.text, fitting))) return useTool(fitting, asked)
  return found.length > 0 ? askWhich(found, asked) : answerLost(asked)
}

function afterDescription(content: string, asked: Asked): DemoReply {
  const described = readDescription(content)
  return described ? useTool(described, asked) : afterSearch(content, asked)
}

function toResultText(tool: string, content: string, { language }: Asked): string {
  const told = summarise(content, language)
  if (tool === 'remember') return texts.remembered[language]
  if (tool === 'forget' && /^forgotten/i.test(told)) return texts.forgotten[language]
  return `${inWords.result(tool)[language]}\n\n${told}`
}

function toPlanText(call: ModelToolCall, { language }: Asked): string {
  const todos = todosOf(call.arguments).map((todo) => `- [ ] ${todo}`)
  return [texts.planned[language], ...todos].join('\n')
}

function toFaultText(call: ModelToolCall, content: string, asked: Asked): string {
  const { language } = asked
  const tool = toolOf(call)
  const fault = parseJson(content)
  if (!isPlainObject(fault)) return inWords.failed(tool, cut(content))[language]
  const question = fault.code === 'invalid_arguments' ? toFaultQuestion(tool, fault, asked) : ''
  if (question) return question
  if (fault.code === 'not_found' && isMissing(call, asked)) return toMissingText(call, asked)
  const known = faultTexts[String(fault.code)]
  const message = typeof fault.message === 'string' ? fault.message : content
  const told = inWords.failed(tool, cut(message))[language]
  return known ? `${known[language]}\n\n${told}` : told
}

/** Whether a tool, or the file that one of our own takes, is what was not found. */
function isMissing(call: ModelToolCall, { known }: Asked): boolean {
  const tool = toolOf(call)
  const isKnown = known.given.has(tool) || known.byName.has(tool) || known.schemas.has(tool)
  return !isKnown || (isOwnName(tool) && typeof call.arguments.path === 'string')
}

function toMissingText(call: ModelToolCall, { language }: Asked): string {
  const { path } = call.arguments
  const isFile = isOwnName(call.name) && typeof path === 'string'
  return (isFile ? inWords.noFile(path) : inWords.noTool(toolOf(call)))[language]
}

/** Asks for the fields that the error names [A3.3]; empty where it names none. */
function toFaultQuestion(
  tool: string,
  { errors, input_schema }: Record<string, unknown>,
  { known, language }: Asked,
): string {
  const paths = (Array.isArray(errors) ? errors : []).flatMap((error) =>
    isPlainObject(error) && typeof error.path === 'string' ? [error] : [],
  )
  const wanted = paths.filter(({ expected }) => expected !== 'no such field')
  const names = [...new Set(wanted.map(({ path }) => /^[^.[]*/.exec(String(path))?.[0] ?? ''))]
  const schema = input_schema ?? known.given.get(tool)?.parameters
  const fields = new Map(readFields(schema).map((field) => [field.name, field]))
  const asked = names
    .filter((name) => name !== '')
    .map((name) => fields.get(name) ?? toPlainField(name))
  return asked.length === 0 ? '' : toQuestion(tool, asked, language)
}

function cut(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text
}
