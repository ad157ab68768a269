import type { ModelMessage, StateUpdate, SummaryUpdate } from '@dataagent/core'
import type { BaseMessage } from '@langchain/core/messages'
import { type Messages, messagesStateReducer } from '@langchain/langgraph'
import { fromLangChainMessage } from './from-langchain.ts'
import { isAsIn, type Snapshot, toSnapshot } from './snapshot.ts'
import { toLangChainMessage } from './to-langchain.ts'

/**
 * Messages in both forms. Each is made into the other once, and one that comes back as it went is
 * the object that it was, so that one can see what was kept; what one form cannot say (an image)
 * is not lost on the way back.
 */
export interface MessageBook {
  toLangChain(message: ModelMessage): BaseMessage
  fromLangChain(message: BaseMessage): ModelMessage
  /**
   * Our update for what a LangChain hook says of the messages, reduced as LangGraph does: by id,
   * with `RemoveMessage` and `REMOVE_ALL_MESSAGES`. Throws where it removes what is not there.
   */
  toUpdate(before: readonly ModelMessage[], given: Messages): MessagesUpdate
}

/** Without `messages` where all is as it was. */
type MessagesUpdate = Pick<StateUpdate, 'messages' | 'summary'>

/** A message of LangChain may be changed in place: then what was made of it no longer holds. */
interface Made {
  message: ModelMessage
  snapshot: Snapshot
}

export function createMessageBook(): MessageBook {
  const theirs = new WeakMap<ModelMessage, BaseMessage>()
  const ours = new WeakMap<BaseMessage, Made>()

  function toLangChain(message: ModelMessage): BaseMessage {
    const known = theirs.get(message)
    if (known) return known
    const made = toLangChainMessage(message)
    remember(message, made)
    return made
  }

  function fromLangChain(message: BaseMessage): ModelMessage {
    const known = ours.get(message)
    if (known && isAsIn(known.snapshot, message)) return known.message
    const made = fromLangChainMessage(message)
    remember(made, message)
    return made
  }

  function remember(message: ModelMessage, made: BaseMessage): void {
    theirs.set(message, made)
    ours.set(made, { message, snapshot: toSnapshot(made) })
  }

  return {
    toLangChain,
    fromLangChain,
    toUpdate(before, given) {
      const held = before.map(toLangChain)
      const reduced = messagesStateReducer(held, given)
      const messages = reduced.map(fromLangChain)
      if (isSame(messages, before)) return {}
      const count = before.length - messages.length + 1
      const isTailKept = count > 0 && isSame(messages.slice(1), before.slice(count))
      const summary = isTailKept ? findSummary(held, reduced[0], count) : undefined
      return { messages, ...(summary && { summary }) }
    },
  }
}

function isSame(list: readonly ModelMessage[], before: readonly ModelMessage[]): boolean {
  return list.length === before.length && list.every((message, i) => message === before[i])
}

/**
 * One new message in the place of the first ones, with all others kept, is a summary of those. One
 * that has the id of another was changed.
 */
function findSummary(
  before: readonly BaseMessage[],
  first: BaseMessage | undefined,
  count: number,
): SummaryUpdate | undefined {
  if (first === undefined || before.some(({ id }) => id === first.id)) return undefined
  return { content: first.text, count }
}
