import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'
import type { Notes } from './notes.ts'
import type { ToolDefinition } from './tools.ts'

export type HostileTransport = 'stdio' | 'http' | 'sse'

/** A JSON-RPC message, loosely: the server reads what it needs of it. */
export interface Message {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

/** What a mode may be told. Each has its own idea of `bytes`, `count` and `ms`, and defaults. */
export interface Knobs {
  /** What the server speaks. Default `legacy`, which is 2025-11-25 and older. */
  era?: 'legacy' | 'modern'
  /** How Streamable HTTP answers a request: as events (default) or as one JSON body. */
  reply?: 'sse' | 'json'
  /** So many tool calls go well first. Default 0. */
  after?: number
  /** So many tool calls go ill then, and the rest well. Default: all go ill. */
  times?: number
  /** stdio: only the first so many lives misbehave. Default: all. */
  lives?: number
  bytes?: number
  count?: number
  ms?: number
  /** Where a schema points that refers to another one. */
  url?: string
}

/** What all calls of one server share. */
export interface Scene {
  knobs: Knobs
  readonly notes: Notes
  /** Tool calls so far, the one under way included. */
  calls: number
  tools: ToolDefinition[]
  /** Sends what is told without being asked; each is a stream of its own. */
  readonly listeners: Set<(message: Message) => void>
  /** HTTP: the sessions that the server no longer knows. */
  readonly lost: Set<string>
  /** Ends the requests under way, by session and id. */
  readonly running: Map<string, AbortController>
}

type Bytes = string | Uint8Array
export type Pieces = Iterable<Bytes> | AsyncIterable<Bytes>

/** The way back to the client for the answer to one message. */
export interface Peer {
  readonly session: string
  /** What stands around the text of a message: nothing and a new line, or the lines of an event. */
  readonly frame: { before: string; after: string }
  /** Sends bytes as they are, as fast as the other side takes them. */
  raw(pieces: Pieces): Promise<void>
  /** Sends a notification that belongs to this message, where the channel can carry one. */
  notify(message: Message): Promise<void>
  /** Nothing more belongs to this message. */
  end(): void
  /** Goes away without a word: the process is killed, the socket reset. */
  cut(): void
}

/** A request of the client, as a mode gets it. */
export interface Call {
  readonly message: Message
  readonly peer: Peer
  readonly scene: Scene
  /** Ends when the client cancels the request or goes. */
  readonly signal: AbortSignal
  /** Does what is asked, with its effects, and gives the answer without sending it. */
  result(): Promise<Message>
  /** Does what a good server does. */
  proceed(): Promise<void>
}

/** One way to misbehave. What a mode leaves out is done as a good server does it. */
export interface Mode {
  /** The transports on which it makes sense. */
  readonly on: readonly HostileTransport[]
  /** stdio alone: before the first message is read. */
  start?(scene: Scene): void | Promise<void>
  /** HTTP alone: a new connection. `true` when the mode keeps it to itself. */
  connection?(socket: Socket, scene: Scene): boolean
  /** HTTP alone: a POST, read and parsed. `true` when the mode has dealt with it. */
  request?(exchange: Exchange, scene: Scene): boolean | Promise<boolean>
  answer?(call: Call): Promise<void>
}

export const everywhere: readonly HostileTransport[] = ['stdio', 'http', 'sse']
export const overHttp: readonly HostileTransport[] = ['http', 'sse']
