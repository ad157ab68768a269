import type { ModelPort, ModelRequest, ModelTool } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models'
import type { BaseMessage } from '@langchain/core/messages'
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs'
import {
  createMessageBook,
  fromLangChainConversation,
  type MessageBook,
} from '../messages/index.ts'
import { createChunkMaker } from './chunk-maker.ts'
import { toModelTool } from './model-tool.ts'
import { fromToolChoice } from './tool-choice.ts'

/** What a model of ours takes with a call; `bindTools` sets the tools. */
export interface PortCallOptions extends BaseChatModelCallOptions {
  tools?: readonly ModelTool[]
  max_tokens?: number
  temperature?: number
  /** As `ModelRequest.extra`. */
  extra?: Readonly<Record<string, unknown>>
}

export interface ToLangChainModelOptions {
  book?: MessageBook | undefined
  /**
   * Told when what was given of an answer is void and it begins anew. Without it there is no word
   * for that in LangChain, and a stream that was cut ends with an error.
   */
  onRestart?: (() => void) | undefined
}

/** A model of ours as LangChain's. What it throws is an AppError, with its code. */
export function toLangChainModel(
  port: ModelPort,
  { book = createMessageBook(), onRestart }: ToLangChainModelOptions = {},
): BaseChatModel<PortCallOptions> {
  return new PortChatModel(port, book, onRestart)
}

/** The model within, where it is one of ours. */
export function portOf(model: unknown): ModelPort | undefined {
  return model instanceof PortChatModel ? model.port : undefined
}

/** A class because LangChain asks for one of its own. Tells its answer as it comes. */
class PortChatModel extends BaseChatModel<PortCallOptions> {
  readonly port: ModelPort
  readonly #book: MessageBook
  readonly #onRestart: () => void

  constructor(port: ModelPort, book: MessageBook, onRestart: (() => void) | undefined) {
    super({ maxRetries: 0 })
    // A stream of LangChain's cannot begin anew; a whole answer, told as it comes, can.
    this.disableStreaming = onRestart !== undefined
    this.port = port
    this.#book = book
    this.#onRestart = onRestart ?? (() => {})
  }

  static override lc_name(): string {
    return 'ChatDataAgent'
  }

  override _llmType(): string {
    return 'dataagent'
  }

  /** As the model is called in traces. */
  get model(): string {
    return this.port.name
  }

  override get profile() {
    return { maxInputTokens: this.port.contextWindow, toolCalling: this.port.callsTools }
  }

  override bindTools(tools: BindToolsInput[], options: Partial<PortCallOptions> = {}) {
    return this.withConfig({ ...options, tools: tools.map(toModelTool) })
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    manager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let maker = createChunkMaker()
    let whole: ChatGenerationChunk | undefined
    for await (const delta of this.#ask(messages, options)) {
      if (delta.type === 'restart') {
        this.#onRestart()
        maker = createChunkMaker()
        whole = undefined
        continue
      }
      const chunk = maker.make(delta)
      if (chunk === undefined) continue
      whole = whole?.concat(chunk) ?? chunk
      await tell(manager, chunk)
    }
    if (whole === undefined) throw new AppError('upstream_failed', 'The model gave no answer.')
    return { generations: [whole] }
  }

  async *#ask(messages: BaseMessage[], options: this['ParsedCallOptions']) {
    const request = toRequest(messages, options, this.#book)
    for await (const batch of this.port.stream(request, options.signal)) yield* batch
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const maker = createChunkMaker()
    let hasGiven = false
    for await (const delta of this.#ask(messages, options)) {
      if (delta.type === 'restart') {
        if (hasGiven) throw beganAnew()
        continue
      }
      const chunk = maker.make(delta)
      if (chunk === undefined) continue
      hasGiven = true
      yield chunk
      await tell(manager, chunk)
    }
  }
}

async function tell(
  manager: CallbackManagerForLLMRun | undefined,
  chunk: ChatGenerationChunk,
): Promise<void> {
  const none = undefined
  await manager?.handleLLMNewToken(chunk.text, none, none, none, none, { chunk })
}

function toRequest(
  messages: BaseMessage[],
  options: PortCallOptions,
  book: MessageBook,
): ModelRequest {
  const { stop, tools = [], tool_choice, max_tokens, temperature, extra } = options
  if (stop && stop.length > 0) {
    throw new AppError('invalid_request', 'Stop sequences cannot be passed on to this model.')
  }
  return {
    ...fromLangChainConversation(messages, book),
    ...{ tools, toolChoice: fromToolChoice(tool_choice), maxTokens: max_tokens },
    ...{ temperature, extra },
  }
}

/** LangChain has no word for what is void of a stream. */
function beganAnew(): AppError {
  return new AppError('upstream_failed', 'The answer was cut and begun anew: ask again.')
}
