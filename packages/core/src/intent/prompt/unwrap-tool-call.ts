import { isPlainObject } from '@dataagent/schema'
import { promptToolNames } from './prompt-tool-names.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A call as the model made it; without arguments where it sent no JSON object. */
export interface MadeCall {
  readonly name: string
  readonly args: Arguments | undefined
}

/**
 * The tool that a call of `call_tool` means, so that approval, policy and audit see that tool.
 * Undefined for any other call, and for one that names no tool: its own validation then tells.
 */
export function unwrapToolCall({
  name,
  args,
}: MadeCall): { name: string; args: Record<string, unknown> } | undefined {
  if (name !== promptToolNames.call || typeof args?.name !== 'string' || args.name === '') {
    return undefined
  }
  const inner = readArguments(args.arguments)
  return inner && { name: args.name, args: inner }
}

/** An object, or its JSON in a string, as some models write it. */
function readArguments(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null || value === '') return {}
  const read = typeof value === 'string' ? parse(value) : value
  return isPlainObject(read) ? read : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
