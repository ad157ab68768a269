import { randomUUID } from 'node:crypto'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { ModelMessage } from '../models/index.ts'
import type { StateUpdate } from './contract.ts'

/** LangChain's `REMOVE_ALL_MESSAGES`. */
const removeAll = '__remove_all__'

/**
 * Messages in both forms. A message that comes back as it went is the same object as before, so
 * that one can see what was kept.
 */
export interface MessageBook {
  toLangChain(message: ModelMessage): BaseMessage
  fromLangChain(message: BaseMessage): ModelMessage
  /** Our update for what a LangChain hook says of the messages. */
  toUpdate(
    before: readonly ModelMessage[],
    given: readonly BaseMessage[],
  ): Pick<StateUpdate, 'messages' | 'summary'>
}

export function createMessageBook(): MessageBook {
  const theirs = new WeakMap<ModelMessage, BaseMessage>()
  const ours = new WeakMap<BaseMessage, ModelMessage>()

  function remember(message: ModelMessage, made: BaseMessage): void {
    theirs.set(message, made)
    ours.set(made, message)
  }

  const book: MessageBook = {
    toLangChain(message) {
      const known = theirs.get(message)
      if (known) return known
      const made = toBaseMessage(message)
      remember(message, made)
      return made
    },
    fromLangChain(message) {
      const known = ours.get(message)
      if (known) return known
      const made = toModelMessage(message)
      remember(made, message)
      return made
    },
    toUpdate(before, given) {
      const reduced = reduceMessages(before.map(book.toLangChain), given)
      const messages = reduced.map(book.fromLangChain)
      const summary = findSummary(before, messages)
      return { messages, ...(summary && { summary }) }
    },
  }
  return book
}

/** As LangGraph's reducer: by id, in place where it is known, else at the end. */
function reduceMessages(
  before: readonly BaseMessage[],
  given: readonly BaseMessage[],
): BaseMessage[] {
  const start = given.findLastIndex((message) => message.id === removeAll)
  const list = start === -1 ? [...before] : []
  for (const message of given.slice(start + 1)) {
    const at = list.findIndex(({ id }) => id === message.id && id !== undefined)
    if (message.getType() === 'remove') list.splice(at, at === -1 ? 0 : 1)
    else if (at === -1) list.push(message)
    else list[at] = message
  }
  return list
}

/** One new message in the place of the first ones, with all others kept, is a summary of those. */
function findSummary(before: readonly ModelMessage[], after: readonly ModelMessage[]) {
  const [first, ...kept] = after
  const count = before.length - kept.length
  const isTail = count > 0 && kept.every((message, i) => message === before[count + i])
  if (!first || !isTail || first === before[0]) return undefined
  return { content: first.content, count }
}

function toBaseMessage(message: ModelMessage): BaseMessage {
  const id = randomUUID()
  const { content } = message
  if (message.role === 'user') return new HumanMessage({ content, id })
  if (message.role === 'tool') {
    const { tool_call_id, name, is_error } = message
    return new ToolMessage({ content, id, tool_call_id, name, status: toStatus(is_error) })
  }
  const tool_calls = message.tool_calls.map((call) => ({
    ...{ id: call.id, name: call.name, args: { ...call.arguments } },
    type: 'tool_call' as const,
  }))
  return new AIMessage({ content, id, tool_calls })
}

function toStatus(is_error: boolean): 'error' | 'success' {
  return is_error ? 'error' : 'success'
}

function toModelMessage(message: BaseMessage): ModelMessage {
  const content = message.text
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id, name = '', status } = message
    return { role: 'tool', tool_call_id, name, content, is_error: status === 'error' }
  }
  if (!AIMessage.isInstance(message)) return { role: 'user', content }
  const tool_calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({
    ...{ id, name, arguments: args },
  }))
  return { role: 'assistant', content, tool_calls }
}
