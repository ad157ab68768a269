import { inWords } from './demo-texts.ts'
import { type Filled, fillArguments, isCommand } from './fill-arguments.ts'
import { fillCommand } from './fill-command.ts'
import type { KnownTool, KnownTools } from './known-tools.ts'
import type { Language } from './language.ts'
import { toQuestion } from './question.ts'
import { type DemoReply, say } from './reply.ts'
import { type Field, readFields } from './schema-fields.ts'

export interface Asked {
  text: string
  language: Language
  known: KnownTools
  /** What the last query of this run has given. */
  queried?: string | undefined
}

/** Calls a tool with what the message gives, asks for what is missing, or for its parameters. */
export function useTool(tool: KnownTool, asked: Asked): DemoReply {
  if (tool.schema === undefined && asked.known.given.has('describe_tool')) {
    const call = { name: 'describe_tool', arguments: { name: tool.name } }
    return { text: '', calls: [call] }
  }
  return callOrAsk(tool.name, fillFor(tool, asked.text, readFields(tool.schema)), asked)
}

/** What a message that means a tool gives of its parameters. */
export function fillFor(tool: { name: string }, text: string, fields: readonly Field[]): Filled {
  return fields.some(isCommand)
    ? fillCommand(text, fields, tool)
    : fillArguments(withoutName(text, tool), fields)
}

/** Calls with the arguments, or asks for the fields that are missing. */
export function callOrAsk(name: string, { args, missing }: Filled, asked: Asked): DemoReply {
  if (missing.length > 0) return say(toQuestion(name, missing, asked.language))
  return callNow(name, args, asked)
}

function callNow(
  name: string,
  args: Record<string, unknown>,
  { known, language }: Asked,
): DemoReply {
  const isThrough = !known.given.has(name) && known.given.has('call_tool')
  const call = isThrough
    ? { name: 'call_tool', arguments: { name, arguments: args } }
    : { name, arguments: args }
  return { text: inWords.using(name)[language], calls: [call] }
}

/** The tool's own name in the message is no value of an argument. */
function withoutName(text: string, { name }: { name: string }): string {
  const parts = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
  const endings = parts.map((_, index) => parts.slice(index).join('[._/-]{1,2}'))
  const pattern = new RegExp(
    `(?:/tool\\s{1,3})?(?<![\\w-])[\`"“]?(?:${endings.slice(0, 12).join('|')})(?![\\w-])[\`"”]?\\s{0,2}(?:这个|的)?(?:工具|\\btool\\b)?`,
    'i',
  )
  return endings.length === 0 ? text : text.replace(pattern, ' ')
}
