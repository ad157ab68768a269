import type { Knobs } from './knobs.ts'

export type Provider = 'openai' | 'anthropic'

export interface ToolCall {
  id: string
  name: string
  /** JSON, or what passes for it. */
  arguments: string
}

/** A message of the conversation, the same for both wires. */
export interface Turn {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  toolCalls: ToolCall[]
  toolResults: { id: string; text: string }[]
}

export interface OfferedTool {
  name: string
  description: string
  schema: Record<string, unknown>
}

/** What a request says, whichever wire it came by: for scripts that decide by it. */
export interface ModelRequest {
  provider: Provider
  model: string
  stream: boolean
  turns: Turn[]
  tools: OfferedTool[]
  /** `auto`, `none`, `required`, or the name of the one tool to call. */
  toolChoice: string
  /** The JSON Schema that the text shall follow; `{}` for any JSON. */
  textSchema: Record<string, unknown> | undefined
  maxTokens: number
  stopSequences: string[]
  /** Of an OpenAI stream: whether it ends with the usage. */
  includeUsage: boolean
  /** As it was sent. */
  body: Record<string, unknown>
}

/** A request as the stand-in keeps it. */
export interface RecordedRequest extends ModelRequest {
  apiKey: string
  headers: Record<string, string>
  knobs: Knobs
  /** Counts the requests of this key from 1. */
  number: number
  /** `open` until the answer ended: whole, refused, cut by us, or left by the client. */
  outcome: 'open' | 'complete' | 'refused' | 'cut' | 'disconnected'
}

/** The text of the last message a person wrote; empty when there is none. */
export function lastUserText({ turns }: ModelRequest): string {
  return turns.findLast(isUserText)?.text ?? ''
}

/** How many times tools were called since that message. */
export function toolRounds({ turns }: ModelRequest): number {
  const since = turns.slice(turns.findLastIndex(isUserText) + 1)
  return since.filter((turn) => turn.toolCalls.length > 0 || isTextCall(turn)).length
}

/** The results that the conversation ends with. */
export function latestToolResults({ turns }: ModelRequest): string[] {
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const inText = isTextCall(turns[last])
  return turns.slice(last + 1).flatMap(({ toolResults, text }) => {
    return inText && text ? [text] : toolResults.map((result) => result.text)
  })
}

/** A rough count: four characters a token, as English prose has. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Of all that the model has to read. */
export function countPromptTokens({ turns, tools }: ModelRequest): number {
  return countTokens(JSON.stringify(turns)) + countTokens(JSON.stringify(tools))
}

/** After a call in the text, what the user "says" is the tool's result. */
function isUserText({ role, text }: Turn, i: number, turns: Turn[]): boolean {
  return role === 'user' && text !== '' && !isTextCall(turns[i - 1])
}

function isTextCall(turn: Turn | undefined): boolean {
  return turn?.role === 'assistant' && turn.text.includes('"tool_call"')
}
