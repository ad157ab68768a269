import {
  BaseChatModel,
  type BaseChatModelCallOptions,
} from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'

export interface ScriptedCall {
  name: string
  args: Record<string, unknown>
}

/** A chat model that makes these calls, one a turn, and then says that it is done. */
export class ScriptedModel extends BaseChatModel<BaseChatModelCallOptions> {
  /** The names of the tools that it was given. */
  offered: string[] = []
  readonly #calls: readonly ScriptedCall[]
  #turn = 0

  constructor(calls: readonly ScriptedCall[]) {
    super({})
    this.#calls = calls
  }

  _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: unknown[]): this {
    this.offered = tools.map((tool) => (tool as { name: string }).name)
    return this
  }

  async _generate(_messages: BaseMessage[]): Promise<ChatResult> {
    const call = this.#calls[this.#turn]
    this.#turn++
    const tool_calls = call
      ? [{ ...call, id: `call-${this.#turn}`, type: 'tool_call' as const }]
      : []
    const message = new AIMessage({ content: call ? '' : 'done', tool_calls })
    return { generations: [{ text: '', message }] }
  }
}
