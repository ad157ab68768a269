import type { ModelDelta, ModelPort, ModelPrice, ModelRequest, ModelTool } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { BaseMessage } from '@langchain/core/messages'
import type { Runnable } from '@langchain/core/runnables'
import { createMessageBook, type MessageBook, toLangChainConversation } from '../messages/index.ts'
import { createAnswerReader } from './answer-reader.ts'
import { countedElsewhere, stepsCountedElsewhere } from './count-usage.ts'
import { endingWith } from './ending-with.ts'
import { toCallError } from './model-error.ts'
import { portOf } from './to-langchain-model.ts'
import { toToolChoice } from './tool-choice.ts'

export interface LangChainModelOptions {
  /** `provider:model`. Default: what the model tells of itself. */
  name?: string | undefined
  /** Default: that of its profile, else 128,000 tokens. */
  contextWindow?: number | undefined
  price?: ModelPrice | undefined
  /** For messages that other adapters have made. */
  book?: MessageBook | undefined
}

/**
 * A chat model of LangChain as ours. Its own retries stay its own: give it `maxRetries: 0` to use
 * `withRetry` of core. A request's `extra` is bound as call options.
 */
export function fromLangChainModel(
  model: BaseChatModel,
  options: LangChainModelOptions = {},
): LangChainPort {
  const known = portOf(model)
  if (known) return known
  const { book = createMessageBook(), price } = options
  const name = options.name ?? nameOf(model)
  return {
    name,
    contextWindow: options.contextWindow ?? model.profile.maxInputTokens ?? 128_000,
    callsTools: typeof model.bindTools === 'function' && model.profile.toolCalling !== false,
    ...(price && { price }),
    [chatModel]: model,
    stream: (request, signal) => ask(model, { name, book, request, signal }),
  }
}

/** Stays with the model when another wraps it. */
const chatModel: unique symbol = Symbol('chat model')

type LangChainPort = ModelPort & { readonly [chatModel]?: BaseChatModel }

/** Whether a chat model of LangChain answers: it knows call options that ours do not. */
export function isLangChainPort(port: LangChainPort): boolean {
  return port[chatModel] !== undefined
}

interface Asking {
  name: string
  book: MessageBook
  request: ModelRequest
  signal: AbortSignal | undefined
}

async function* ask(model: BaseChatModel, asking: Asking): AsyncGenerator<readonly ModelDelta[]> {
  const { request, signal, book } = asking
  const reader = createAnswerReader()
  try {
    signal?.throwIfAborted()
    const bound = bind(model, request)
    const messages = toLangChainConversation(request, book)
    const config = signal && { signal }
    const chunks = await countedElsewhere(() => bound.stream(messages, config))
    for await (const chunk of endingWith(stepsCountedElsewhere(chunks), signal)) {
      const deltas = reader.take(chunk)
      if (deltas.length > 0) yield deltas
    }
    yield reader.end()
  } catch (error) {
    throw toCallError(error, asking)
  }
}

type Bound = Runnable<BaseMessage[], BaseMessage>

function bind(model: BaseChatModel, request: ModelRequest): Bound {
  const { tools, toolChoice, maxTokens, temperature, extra } = request
  const settings = {
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...extra,
  }
  if (tools.length === 0) return model.withConfig(settings as object) as Bound
  if (model.bindTools === undefined) {
    throw new AppError('invalid_request', 'This model cannot call tools: use withTextDialect.')
  }
  const choice = toolChoice && { tool_choice: toToolChoice(toolChoice) }
  return model.bindTools(tools.map(toFunction), { ...settings, ...choice }) as Bound
}

function toFunction({ name, description, parameters }: ModelTool) {
  return { type: 'function' as const, function: { name, description, parameters } }
}

function nameOf(model: BaseChatModel): string {
  const { ls_provider, ls_model_name } = model.getLsParams({} as never)
  const { model: own, modelName } = model as { model?: unknown; modelName?: unknown }
  const named = [ls_model_name, own, modelName].find((word) => typeof word === 'string')
  return `${ls_provider ?? 'langchain'}:${named ?? model.getName()}`
}
