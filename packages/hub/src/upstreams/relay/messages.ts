import type { Progress, TraceContext } from '@dataagent/mcp'
import type { LinkState } from '../links/link.ts'
import type { WireError } from './wire-error.ts'

/** What is asked of the process that holds a connection. `id` has 128 random bits. */
export type Request = CallRequest | PlainRequest

export interface CallRequest extends Place {
  kind: 'call'
  id: string
  /** The process that asks. */
  from: string
  tool: string
  args: Record<string, unknown>
  timeoutMs: number
  wantsProgress: boolean
  trace?: TraceContext | undefined
  meta?: Record<string, unknown> | undefined
}

export interface PlainRequest extends Place {
  kind: 'describe' | 'refresh' | 'reconnect'
  id: string
  from: string
}

/** Which connection is meant, as held under which lease. */
export interface Place {
  pool: string
  fence: number
}

/** What is said without an answer being awaited. */
export type Remark =
  | { kind: 'cancel'; id: string }
  /** A session elsewhere still needs the connection. */
  | { kind: 'keep'; pool: string }

export type Upward = Request | Remark

export type Downward =
  | { kind: 'ack'; id: string }
  | { kind: 'progress'; id: string; progress: Progress }
  | { kind: 'done'; id: string; value: unknown }
  | { kind: 'failed'; id: string; error: WireError }

/** What the holder of a connection tells all others of it. */
export interface News extends Place, Standing {
  kind: 'news'
}

export type Gone = Place & { kind: 'gone' }

export interface Standing {
  state: LinkState
  /** Needs no holder: each process may have its own connection. */
  stateless: boolean
  /** Rises with every change of the state or the tools. */
  seq: number
}

export interface Description extends Standing {
  tools: readonly unknown[]
}

export const channels = {
  up: (owner: string) => `hub:up:${owner}`,
  down: (owner: string) => `hub:down:${owner}`,
  news: 'hub:upstreams',
}
