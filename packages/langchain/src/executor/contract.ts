import type { ExecutorOptions } from '@dataagent/core'
import type { OwnToolContext } from '@dataagent/hub'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint'
import type { AgentMiddleware, ReactAgent } from 'langchain'
import type { FromToolOptions } from '../tools/index.ts'

export interface LangChainExecutorOptions extends ExecutorOptions {
  /**
   * Where threads are kept. Each session is one, under its id: who deletes a session calls
   * `deleteThread` as well.
   */
  checkpointer: BaseCheckpointSaver
  /**
   * Makes the graph of a turn of the parts that are given: LangChain's `createAgent`, or that of
   * DeepAgents, `createDeepAgent`. Called once for each turn, which sees the tools that its user
   * may use.
   */
  createGraph(parts: GraphParts): AnyReactAgent | Promise<AnyReactAgent>
  /**
   * What holds for tools that the graph brings itself: whether they ask, are trusted, may be
   * repeated. Default: allowed, but `execute` asks.
   */
  toolOptions?: ((tool_name: string) => FromToolOptions | undefined) | undefined
  /** How many checkpoints of a thread are left when a turn has ended. Default 1. */
  keepCheckpoints?: number | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: an agent of any state, context and answer.
export type AnyReactAgent = ReactAgent<any>

/** What a graph is made of, so that all it does is governed. */
export interface GraphParts {
  /** The agent's own, as LangChain's. */
  readonly model: BaseChatModel
  readonly systemPrompt: string
  /** The agent's tools, and those of its servers. */
  readonly tools: readonly StructuredToolInterface[]
  readonly checkpointer: BaseCheckpointSaver
  /** The list for `middleware`: what governs stands around your own. Sub-agents need it as well. */
  middleware(own?: readonly AnyMiddleware[]): AgentMiddleware[]
  /** All of the above, for `createAgent`, with your own tools and middlewares. */
  agent(own?: OwnParts): AgentParams
  /** The call under way, or the turn where there is none: for backends, which get no context. */
  context(): OwnToolContext
}

export interface OwnParts {
  tools?: readonly StructuredToolInterface[]
  middleware?: readonly AnyMiddleware[]
}

/** One of any state and context: LangChain's own type takes them only under looser settings. */
export type AnyMiddleware = Pick<AgentMiddleware, 'name'>

export interface AgentParams {
  model: BaseChatModel
  systemPrompt: string
  tools: StructuredToolInterface[]
  middleware: AgentMiddleware[]
  checkpointer: BaseCheckpointSaver
}
