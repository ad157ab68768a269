import { isPlainObject } from '@dataagent/schema'
import { readArguments } from '../arguments/read-arguments.ts'

/** A call that a model wrote into its text. */
export interface TextCall {
  name: string
  /** Its arguments, as they stand there. */
  json: string
}

/** The calls of a JSON object with the field `tool_call`; none where it says no name. */
export function readTextCalls(json: string): TextCall[] {
  const given = readArguments(json)?.tool_call
  const calls = (Array.isArray(given) ? given : [given]).map(toCall)
  return calls.every((call) => call !== undefined) ? calls : []
}

function toCall(value: unknown): TextCall | undefined {
  if (!isPlainObject(value) || typeof value.name !== 'string' || value.name === '') return undefined
  const { name, arguments: args = {} } = value
  return { name, json: typeof args === 'string' ? args : JSON.stringify(args) }
}
