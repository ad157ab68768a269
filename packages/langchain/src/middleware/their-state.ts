import type { AgentState } from '@dataagent/core'
import type { MessageBook } from '../messages/index.ts'
import type { Fields } from './contract.ts'
import type { StateFields } from './state-fields.ts'

/**
 * The state as a middleware of LangChain sees it: its own fields and the messages, which are
 * converted when they are looked at.
 */
export function toTheirState(
  state: AgentState,
  { names }: StateFields,
  { toLangChain }: Pick<MessageBook, 'toLangChain'>,
): Fields {
  const own = Object.fromEntries([...names].map((name) => [name, state[name]]))
  let messages: unknown
  return Object.defineProperty(own, 'messages', {
    enumerable: true,
    get: () => (messages ??= state.messages.map(toLangChain)),
  })
}
