import type { Inbox } from './inbox.ts'
import type { Header, WireRequest } from './wire.ts'

/** One connection as Dify makes it for one action. */
export interface Transport {
  /** Sends a message; what comes of it goes to the inbox. Never rejects. */
  post(body: string, kind: MessageKind): Promise<void>
  close(): Promise<void>
}

export type MessageKind = 'initialize' | 'initialized' | 'request' | 'reply'

export interface TransportOptions {
  url: string
  /** Of the user or the token, for every request. */
  headers: Header[]
  requests: WireRequest[]
  inbox: Inbox
  /** From the headers of the SSE stream to its endpoint event. */
  endpointMs: number
  /** Rejects with `hangs` where it takes too long. */
  within<T>(work: Promise<T>, what: string): Promise<T>
}
