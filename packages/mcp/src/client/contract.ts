import type { Clock } from '@dataagent/guard'
import type {
  CallToolResult,
  ClientCapabilities,
  CompleteResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Root,
  ServerCapabilities,
  Tool as ToolDefinition,
} from '@modelcontextprotocol/client'
import type { Era, Protocol, Transport } from '../transports/transport.ts'

export type { CallToolResult, Implementation, ServerCapabilities, ToolDefinition }

/** What a call may be given besides its parameters. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** For the whole call, questions to a person not counted. Default, and for 0: the client's. */
  timeoutMs?: number | undefined
  /** Asks the server to report progress. Must not throw. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** W3C trace context of the caller; goes into `_meta`. */
  trace?: TraceContext | undefined
  /** Further `_meta` of the request. */
  meta?: Record<string, unknown> | undefined
  /**
   * Answers what the server asks for this call, in place of the client's own. Where the transport
   * does not tell which call a question is for, it is for the only one that the server may be at
   * work on, calls that others gave up included; where there are several, none is asked and the
   * server is refused. Where every request says what the client can be asked, this one says what
   * these and the client's own handlers answer.
   */
  questions?: ServerQuestions | undefined
  /**
   * Who calls, where several use one connection: what may be for a call that the same gave up is
   * still asked. Without it every call counts as one of somebody else.
   */
  caller?: string | undefined
  /** Log lines and the like that belong to this call, by the same rule. Must not throw. */
  onNotice?: ((notice: ServerNotice) => void) | undefined
}

export interface Progress {
  progress: number
  total?: number
  message?: string
}

export interface TraceContext {
  traceparent: string
  tracestate?: string | undefined
  baggage?: string | undefined
}

/** What both ends said of themselves when the connection was opened. */
export interface ServerIdentity extends Protocol {
  serverInfo: Implementation
  capabilities: ServerCapabilities
  instructions?: string
}

/**
 * Answers the questions of a server, whichever era it asks in: as a request of its own (legacy) or
 * as `input_required` in place of a result (modern). A handler that is there is offered to the
 * server as a capability; what it throws is told to the server as a refusal. `signal` ends with the
 * call that the question belongs to, where that is known.
 */
export interface ServerQuestions {
  elicit?:
    | ((params: ElicitRequestParams, context: QuestionContext) => Promise<ElicitResult>)
    | undefined
  sample?:
    | ((
        params: CreateMessageRequestParams,
        context: QuestionContext,
      ) => Promise<CreateMessageResult>)
    | undefined
  listRoots?: ((context: QuestionContext) => Promise<Root[]>) | undefined
}

export interface QuestionContext {
  signal: AbortSignal
  /** What a server of the modern era calls the question, among those that it asks at once. */
  key?: string | undefined
}

/** What a server may be offered to ask. */
export type OfferedQuestions = Pick<ClientCapabilities, 'elicitation' | 'sampling' | 'roots'>

/** What a server tells without being asked. */
export type ServerNotice =
  | { kind: 'tools_changed' }
  | { kind: 'resources_changed' }
  | { kind: 'prompts_changed' }
  | { kind: 'resource_updated'; uri: string }
  | { kind: 'log'; level: string; logger?: string; data: unknown }
  | { kind: 'elicitation_complete'; elicitationId: string }

/** How large a list may become, all its pages together. */
export interface ListLimits {
  /** Default 1,000. */
  pages?: number | undefined
  /** Default 10,000. */
  items?: number | undefined
  /** Take the first where there are more items, and warn; else that is an error. Default false. */
  cut?: boolean | undefined
  /** As estimated: the texts, and 32 or more for each value. Default 32 MiB. */
  bytes?: number | undefined
}

export interface McpClientOptions {
  transport: Transport
  /** Default: name and version of this package. */
  clientInfo?: Implementation | undefined
  /** Default, and for 0: 30 s. */
  timeoutMs?: number | undefined
  questions?: ServerQuestions | undefined
  /**
   * Offered to the server beyond what `questions` answers, for the sake of calls that bring theirs.
   * For others a form is dismissed, a model's answer refused, and there are no folders.
   */
  offers?: OfferedQuestions | undefined
  /** Must not throw. */
  onNotice?: ((notice: ServerNotice) => void) | undefined
  /** Something was skipped or odd, without ending anything. Must not throw. */
  onWarning?: ((text: string) => void) | undefined
  /** The server has gone by itself: once, never after `close`. */
  onClose?: ((error: Error) => void) | undefined
  /** How large a list may become. What is left out is as by default. */
  listLimits?: ListLimits | undefined
  clock?: Clock | undefined
}

/** What is known of a server's era from an earlier connection. */
export interface EraVerdict {
  era: Era
  version: string
  /** The server was reached by HTTP+SSE after Streamable HTTP had been refused. */
  sse?: boolean | undefined
  /** Milliseconds since 1970. */
  decided_at: number
}

/**
 * One connection to one server, for one life: `connect` once, `close` once. All calls reject with
 * an McpError. A call whose signal aborts, or that takes too long, rejects at once and is cancelled
 * at the server.
 */
export interface McpClient extends AsyncDisposable {
  /**
   * Starts the transport and agrees on a protocol: `server/discover`, else `initialize`; where
   * `era` is given, only that. A failure closes the transport.
   */
  connect(options?: {
    era?: Era | undefined
    signal?: AbortSignal | undefined
  }): Promise<ServerIdentity>
  /**
   * Starts the transport and speaks the older way: sends `initialize`, then
   * `notifications/initialized`.
   */
  initialize(options?: { signal?: AbortSignal | undefined }): Promise<ServerIdentity>
  /** Set once connected. */
  readonly server: ServerIdentity | undefined

  listTools(options?: RequestOptions): Promise<ToolDefinition[]>
  callTool(
    name: string,
    args?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<CallToolResult>
  listResources(options?: RequestOptions): Promise<Resource[]>
  listResourceTemplates(options?: RequestOptions): Promise<ResourceTemplateType[]>
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>
  /** Asks for `resource_updated` notices until the returned function is called. */
  subscribeResource(uri: string, options?: RequestOptions): Promise<() => Promise<void>>
  listPrompts(options?: RequestOptions): Promise<Prompt[]>
  getPrompt(
    name: string,
    args?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<GetPromptResult>
  complete(question: CompletionQuestion, options?: RequestOptions): Promise<CompleteResult>
  /** Asks for log notices of at least `level`. */
  setLogLevel(level: string, options?: RequestOptions): Promise<void>
  /** Whether the server answers: `ping`, or `server/discover` where there is no ping. */
  ping(options?: RequestOptions): Promise<void>
  /** Any method: for extensions. The result as the server sent it. */
  request(
    method: string,
    params?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<unknown>
  notify(method: string, params?: Record<string, unknown>): Promise<void>
  close(): Promise<void>
}

export interface CompletionQuestion {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }
  argument: { name: string; value: string }
  context?: { arguments: Record<string, string> } | undefined
}

/** Opens clients to one server, whatever it takes to find out how it wants to be spoken to. */
export interface OpenClientOptions extends Omit<McpClientOptions, 'transport'> {
  /**
   * A new transport for each attempt. `sse` asks for the older HTTP+SSE one, after Streamable HTTP
   * was refused; `undefined` says there is none.
   */
  createTransport(way: 'usual' | 'sse'): Transport | undefined
  /** Spares the question, and is thrown away when it turns out wrong. */
  remembered?: EraVerdict | undefined
  signal?: AbortSignal | undefined
}

export interface OpenedClient {
  client: McpClient
  server: ServerIdentity
  /**
   * To be remembered for the next time. May say more than `server`: a server of both eras that
   * starts slowly is spoken to the older way once, and known to be modern then.
   */
  verdict: EraVerdict
}
