import type { AgentMiddleware, ModelCall, ModelPort, ModelReply } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages'
import { type Command, isCommand } from '@langchain/langgraph'
import { isAsIn, type Snapshot, toSnapshot, toText } from '../messages/index.ts'
import {
  countedElsewhere,
  countingUsage,
  fromLangChainModel,
  fromToolChoice,
  isLangChainPort,
  toLangChainModel,
} from '../models/index.ts'
import { readCommand } from '../tools/index.ts'
import type { Fields, Theirs, Wrap } from './contract.ts'
import { toUnderstood } from './hook-runtime.ts'
import type { Means } from './means.ts'
import { fromAiMessage, toAiMessage } from './replies.ts'
import { createShownTools, type ShownTools } from './shown-tools.ts'
import { toTheirState } from './their-state.ts'

type OwnWrap = NonNullable<AgentMiddleware['wrapModelCall']>

/** What a hook sees of a call of the model, and may change. */
interface Asked {
  model: unknown
  messages: BaseMessage[]
  systemPrompt?: string
  systemMessage?: SystemMessage
  tools?: readonly unknown[]
  toolChoice?: unknown
  modelSettings?: Fields | undefined
  responseFormat?: unknown
  state: Fields
  runtime: Fields
}

/** `wrapModelCall` of LangChain around calls of our models. */
export function toWrapModelCall(theirs: Theirs, wrap: Wrap, means: Means): OwnWrap {
  const { book, fields, changes, toRuntime } = means
  const { name: middleware } = theirs
  const shown = createShownTools(middleware, theirs.tools ?? [])
  const chats = new WeakMap<ModelPort, BaseChatModel>()
  const ports = new WeakMap<object, ModelPort>()

  function chatOf(port: ModelPort): BaseChatModel {
    const chat = chats.get(port) ?? toLangChainModel(port, { book })
    chats.set(port, chat)
    ports.set(chat, port)
    return chat
  }

  function portOf(model: unknown): ModelPort {
    const known = ports.get(model as object)
    if (known) return known
    const port = toPort(middleware, model, (chat) => fromLangChainModel(chat, { book }))
    ports.set(model as object, port)
    return port
  }

  function toAsked(call: ModelCall): Asked {
    const { systemPrompt, runtime, toolChoice, extra } = call
    return {
      ...{ model: chatOf(call.model), messages: call.messages.map(book.toLangChain) },
      ...{ systemPrompt, systemMessage: new SystemMessage(systemPrompt) },
      tools: call.tools.map(shown.show),
      ...(toolChoice !== undefined && { toolChoice: toTheirChoice(toolChoice) }),
      ...(extra !== undefined && { modelSettings: extra }),
      state: toTheirState(changes.look(call.state, runtime), fields, book),
      runtime: toRuntime(runtime),
    }
  }

  function toCall(call: ModelCall, changed: Asked): ModelCall {
    if (changed.responseFormat !== undefined) throw noResponseFormat(middleware)
    const model = portOf(changed.model)
    return {
      ...call,
      model,
      messages: changed.messages.map(book.fromLangChain),
      systemPrompt: toSystem(middleware, call, changed),
      tools: toTools(shown, call, changed),
      toolChoice: fromToolChoice(changed.toolChoice),
      extra: toExtra(middleware, model, changed.modelSettings),
    }
  }

  return async (call, handler) => {
    const asked = toAsked(call)
    const replies = createReplyBook()
    const ask = async (changed: Asked) => {
      const next = toCall(call, changed)
      return replies.add(await countedElsewhere(() => handler(next)))
    }
    const given = await countingUsage(call.runtime.addUsage, () => callWrap(wrap, asked, ask))
    if (isCommand(given)) {
      changes.note(call.runtime, readCommand(given as Command, `middleware ${middleware}`))
      return replies.last(middleware)
    }
    if (AIMessage.isInstance(given)) return replies.replyOf(given)
    const told = `middleware ${middleware} gave neither an AIMessage nor a Command`
    throw new AppError('invalid_result', told)
  }
}

async function callWrap(wrap: Wrap, asked: Asked, handler: (changed: Asked) => Promise<AIMessage>) {
  try {
    return await wrap(asked as never, handler as never)
  } catch (error) {
    throw toUnderstood(error)
  }
}

/** The replies of one call as messages, so that one which comes back unchanged is as it was. */
function createReplyBook() {
  const made = new WeakMap<AIMessage, { reply: ModelReply; snapshot: Snapshot }>()
  let latest: ModelReply | undefined
  return {
    add(reply: ModelReply): AIMessage {
      const message = toAiMessage(reply)
      made.set(message, { reply, snapshot: toSnapshot(message) })
      latest = reply
      return message
    },
    replyOf(message: AIMessage): ModelReply {
      const known = made.get(message)
      return known && isAsIn(known.snapshot, message) ? known.reply : fromAiMessage(message)
    },
    last(middleware: string): ModelReply {
      if (latest) return latest
      const told = `middleware ${middleware} gave a Command without having asked the model`
      throw new AppError('invalid_result', told)
    },
  }
}

function toPort(
  middleware: string,
  model: unknown,
  convert: (chat: BaseChatModel) => ModelPort,
): ModelPort {
  if (model instanceof BaseChatModel || isChatModel(model)) return convert(model as BaseChatModel)
  throw new AppError(
    'invalid_result',
    `middleware ${middleware} asks another model that is no chat model itself: give it without ` +
      'bound tools or settings',
  )
}

/** Of another copy of the package. */
function isChatModel(model: unknown): boolean {
  const { _modelType, stream } = (model ?? {}) as { _modelType?: () => string; stream?: unknown }
  return typeof stream === 'function' && _modelType?.call(model) === 'base_chat_model'
}

/** The request may have been changed in place: what counts is what it was made of. */
function toSystem(middleware: string, call: ModelCall, changed: Asked): string {
  const message = toText(changed.systemMessage?.content ?? '')
  const isPrompt = changed.systemPrompt !== call.systemPrompt
  const isMessage = message !== call.systemPrompt
  if (isPrompt && isMessage) {
    const told = `middleware ${middleware} changed both systemPrompt and systemMessage`
    throw new AppError('invalid_result', told)
  }
  return isMessage ? message : (changed.systemPrompt ?? '')
}

function toTools({ meant }: ShownTools, { tools: given }: ModelCall, { tools = [] }: Asked) {
  const found = meant(tools, given)
  const isSame = found.length === given.length && found.every((tool, i) => tool === given[i])
  return isSame ? given : found
}

function toTheirChoice(choice: NonNullable<ModelCall['toolChoice']>) {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } }
}

/** To one of our models, settings are fields of the request; how often it retries is its own. */
function toExtra(middleware: string, model: ModelPort, settings: Fields | undefined) {
  if (settings === undefined || isLangChainPort(model)) return settings
  const { maxRetries: _, headers, ...rest } = settings
  if (headers === undefined) return Object.keys(rest).length === 0 ? undefined : rest
  throw new AppError(
    'invalid_result',
    `middleware ${middleware} sets headers of a call, which ${model.name} cannot send`,
  )
}

function noResponseFormat(middleware: string): AppError {
  const told = `middleware ${middleware} asks for a responseFormat: an agent here answers in text`
  return new AppError('invalid_result', told)
}
