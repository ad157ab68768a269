import type { CatalogueEntry, OwnTool, Principal } from '@dataagent/hub'
import type { ExecutionEvent } from '@dataagent/schema'
import type { z } from 'zod'
import type {
  ModelMessage,
  ModelPort,
  ModelTool,
  ModelUsage,
  Reasoning,
  ToolChoice,
  ToolMessage,
} from '../models/index.ts'

/** What a run carries along. Middlewares add fields of their own by `stateSchema`. */
export interface AgentState {
  /** As the model reads them; `beforeModel` may give others in their place. */
  messages: readonly ModelMessage[]
  /** Set where the model has refused the messages as too long: a hook may shorten them. */
  overflowed?: boolean
  [field: string]: unknown
}

/**
 * What a hook changes. `messages` replaces the whole list for the rest of the run (the log keeps
 * what was said; `summary` in it makes the change last, see `SummaryUpdate`). `jumpTo` goes on
 * elsewhere, past the hooks in between: `end` of the run; `model` for a call of the model, which
 * after a reply is another one, without its calls that no hook has answered; `tools` to run what
 * the last assistant message calls, which before the model is a hook's own. `afterAgent` has only
 * the `end`.
 */
export interface StateUpdate {
  messages?: readonly ModelMessage[]
  summary?: SummaryUpdate
  jumpTo?: 'end' | 'model' | 'tools'
  [field: string]: unknown
}

/** The first `count` messages are from now on stood for by `content`, in later runs too. */
export interface SummaryUpdate {
  content: string
  count: number
}

/** What hooks get beside the state. */
export interface Runtime {
  readonly session_id: string
  readonly run_id: string
  readonly assistant_id: string
  readonly principal: Principal
  readonly signal: AbortSignal
  /** The `task` call of a sub-agent's run: there, the `user` message is in the model's words. */
  readonly parent_tool_call_id?: string | undefined
  /** That of the run which a sub-agent works for: what is counted by run counts there. */
  readonly caller?: Runtime | undefined
  /** What the caller of `execute` passed along. */
  readonly context: Readonly<Record<string, unknown>>
  /** Tells people something: it is logged, then sent. Throws nothing. */
  emit(event: ExecutionEvent): void
  /** Counts what a middleware's own call of a model cost as the run's. */
  addUsage(usage: ModelUsage): void
}

/** One call of the model, as `wrapModelCall` sees and changes it. */
export interface ModelCall {
  readonly model: ModelPort
  readonly systemPrompt: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice?: ToolChoice | undefined
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  /** As `ModelRequest.extra`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
  readonly state: AgentState
  readonly runtime: Runtime
}

/** What the model gave, once it is whole. Its text was sent as it came. */
export interface ModelReply {
  readonly content: string
  readonly reasoning: readonly Reasoning[]
  readonly calls: readonly RequestedCall[]
  readonly usage: ModelUsage | undefined
  readonly finish: string
  /** Set where another model than the one asked has answered. */
  readonly model?: string | undefined
}

export interface RequestedCall {
  readonly id: string
  readonly name: string
  /** Undefined where the model sent no JSON object. */
  readonly args: Readonly<Record<string, unknown>> | undefined
  readonly raw: string
  /** Set where a hook has answered it: the tool is not run. */
  readonly answer?: ToolMessage | undefined
}

/** One call of a tool, as `wrapToolCall` sees and changes it. */
export interface ToolCallRequest {
  readonly call: {
    readonly id: string
    readonly name: string
    readonly args: Record<string, unknown>
  }
  /** Undefined where the agent has no such tool. */
  readonly entry: CatalogueEntry | undefined
  readonly state: AgentState
  readonly runtime: Runtime
}

/** A call's end as the model reads it. `failed` is what a retry may act upon. */
export interface ToolReply {
  readonly content: string
  readonly status: 'success' | 'error'
  /** The outcome's own word: `ok`, `timeout`, `denied` … */
  readonly outcome: string
  /** For the event, where it is more than text. */
  readonly result: unknown
}

type Awaitable<T> = T | Promise<T>

/**
 * A middleware, with LangChain's hook names and meaning. Order, for middlewares [a, b]:
 * `beforeAgent` a, b (once a run); then for each turn `beforeModel` a, b; `wrapModelCall` a around
 * b around the model; `afterModel` b, a; `wrapToolCall` a around b around each tool; at the end
 * `afterAgent` b, a. A hook that throws ends the run with an error event. What `afterModel` makes
 * of the reply's text, and `wrapModelCall` of the whole, is what was said: what readers have of it
 * is void.
 */
export interface AgentMiddleware {
  readonly name: string
  /** Tools that it brings to the agent. */
  readonly tools?: readonly OwnTool[] | undefined
  /** Its fields of the state, with their defaults. */
  readonly stateSchema?: z.ZodObject | undefined
  /** Appended to the system prompt of every model call; computed once a run. */
  systemPrompt?(runtime: Runtime): Awaitable<string | undefined>
  beforeAgent?(state: AgentState, runtime: Runtime): Awaitable<StateUpdate | undefined>
  beforeModel?(state: AgentState, runtime: Runtime): Awaitable<StateUpdate | undefined>
  wrapModelCall?(
    request: ModelCall,
    handler: (request: ModelCall) => Promise<ModelReply>,
  ): Promise<ModelReply>
  afterModel?(state: AgentState, runtime: Runtime): Awaitable<StateUpdate | undefined>
  wrapToolCall?(
    request: ToolCallRequest,
    handler: (request: ToolCallRequest) => Promise<ToolReply>,
  ): Promise<ToolReply>
  afterAgent?(state: AgentState, runtime: Runtime): Awaitable<StateUpdate | undefined>
}
