import { randomUUID } from 'node:crypto'
import type { Decision } from '@dataagent/schema'
import { type MessageReply, type RecordedRequest, toolRounds } from '@dataagent/testkit'
import type { HITLHandler } from '../hitl/index.ts'

export const yes: Decision = { type: 'approve', message: '' }
export const no: Decision = { type: 'reject', message: 'Not now.' }

/** A model that calls these tools once after each message, and then says `text`. */
export function callsOnce(
  names: readonly string[],
  text = 'All done.',
): (request: RecordedRequest) => MessageReply {
  return (request) => (toolRounds(request) > 0 ? { text } : { toolCalls: names.map(callOf) })
}

/** A call of a tool that counts its runs, unlike every other: a decision holds for equal ones. */
export const callOf = (name: string) => ({ name, arguments: { value: randomUUID() } })

/** A person who decides by the tool's name. */
export function decidesBy(
  decide: (name: string, args: unknown) => Decision | Promise<Decision>,
): HITLHandler {
  return { requestApproval: async ({ name, args }) => decide(name, args) }
}
