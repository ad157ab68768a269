/** What a model reads of a conversation. A message is never changed once it was made. */
export type ModelMessage = UserMessage | AssistantMessage | ToolMessage

export interface UserMessage {
  readonly role: 'user'
  readonly content: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  readonly tool_calls: readonly ModelToolCall[]
  /** Thoughts that some providers want back with the tool calls that followed them. */
  readonly reasoning?: readonly Reasoning[] | undefined
}

/** The result of one call: every call of an assistant message is answered by one, in any order. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  /** The tool, by the name that the model called it by. */
  readonly name: string
  readonly content: string
  readonly is_error: boolean
}

export interface ModelToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface Reasoning {
  readonly text: string
  /** The provider's seal over it; only what is sealed is sent back. */
  readonly signature?: string | undefined
  /** Opaque, where the provider hides the thought itself. */
  readonly redacted?: string | undefined
}

/** A tool as a model is told of it. */
export interface ModelTool {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Whether the model must call a tool: free to choose, none, any, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice?: ToolChoice | undefined
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  /** Sent along to the provider as it is, for what only one of them knows. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined
}

export interface ModelUsage {
  prompt_tokens: number
  completion_tokens: number
  /** Of the prompt tokens, those that the provider had kept. */
  cached_tokens?: number | undefined
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'other'

/**
 * A piece of an answer. A stream ends with one `finish`, or throws. `restart`: what came before it
 * in this answer is void (the stream was cut and asked for anew).
 */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  /** Thoughts come in pieces; their seal, or a hidden thought, is a piece without text. */
  | { readonly type: 'reasoning'; readonly reasoning: Reasoning }
  | ToolCallDelta
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  | { readonly type: 'restart' }
  /** Another model than the one that was asked answers: what follows is its. */
  | { readonly type: 'model'; readonly name: string }
  | { readonly type: 'finish'; readonly reason: FinishReason }

/**
 * A whole call. `arguments` is undefined where the model sent no JSON object, even after repair:
 * `raw` then tells what it sent.
 */
export interface ToolCallDelta {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  readonly raw: string
}

/**
 * A model. The stream gives deltas in batches, as they come off the wire. It throws AppErrors only:
 * `cancelled` (the signal), `rate_limited`, `timeout`, `unavailable`, `upstream_failed` (all of
 * which may pass), `too_large` (the prompt does not fit), `unauthenticated`, `forbidden`,
 * `invalid_request` (which will not). Leaving the loop closes the socket.
 */
export interface ModelPort {
  /** `provider:model`, as events and traces call it. */
  readonly name: string
  /** Tokens that prompt and answer may have together. */
  readonly contextWindow: number
  /** Whether it calls tools by itself; else use it through `withTextDialect`. */
  readonly callsTools: boolean
  /** Where it is known; else cost is not counted. */
  readonly price?: ModelPrice | undefined
  stream(
    request: ModelRequest,
    signal: AbortSignal | undefined,
  ): AsyncIterable<readonly ModelDelta[]>
}

/** What a million tokens cost, in any currency. */
export interface ModelPrice {
  prompt: number
  completion: number
  cached?: number | undefined
}
