import type { ModelMessage, ModelRequest } from '@dataagent/core'
import { type BaseMessage, SystemMessage } from '@langchain/core/messages'
import type { MessageBook } from './message-book.ts'
import { toText } from './text.ts'

type Conversation = Pick<ModelRequest, 'system' | 'messages'>

/** What a model is asked, as LangChain's models take it: the system prompt is the first message. */
export function toLangChainConversation(
  { system, messages }: Conversation,
  { toLangChain }: Pick<MessageBook, 'toLangChain'>,
): BaseMessage[] {
  const list = messages.map(toLangChain)
  return system === '' ? list : [new SystemMessage(system), ...list]
}

/** Takes the system messages at the beginning for the system prompt. */
export function fromLangChainConversation(
  list: readonly BaseMessage[],
  { fromLangChain }: Pick<MessageBook, 'fromLangChain'>,
): Conversation {
  const found = list.findIndex((message) => !SystemMessage.isInstance(message))
  const count = found === -1 ? list.length : found
  const system = list.slice(0, count).map(({ content }) => toText(content))
  const messages: ModelMessage[] = list.slice(count).map(fromLangChain)
  return { system: system.join('\n\n'), messages }
}
