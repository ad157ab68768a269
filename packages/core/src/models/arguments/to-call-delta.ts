import { randomUUID } from 'node:crypto'
import type { ModelMessage, ToolCallDelta } from '../contract.ts'
import { readArguments } from './read-arguments.ts'

export interface GivenCall {
  id: string
  name: string
  json: string
  /** Whether the answer was cut for its length: then a broken JSON is not repaired. */
  isCut?: boolean
}

/** A call as the model gave it, its arguments read. */
export function toCallDelta({ id, name, json, isCut = false }: GivenCall): ToolCallDelta {
  const args = readArguments(json, { repairs: !isCut })
  return { type: 'tool_call', id, name, arguments: args, raw: json }
}

/**
 * Gives each call its id: the model's own, or a new one where it gave none or one that was used
 * before. Some servers count from zero in every answer.
 */
export function createCallIds(messages: readonly ModelMessage[]): (given: string) => string {
  const taken = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.tool_calls) taken.add(id)
  }
  return (given) => {
    const id = given === '' || taken.has(given) ? createCallId() : given
    taken.add(id)
    return id
  }
}

export function createCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}
