import type { Progress, ServerNotice, ServerQuestions, TraceContext } from '@dataagent/mcp'
import type { UpstreamKey } from '../contract.ts'
import type { ToldWishes } from '../links/borrowed-wishes.ts'
import type { LinkServer, LinkState } from '../links/link.ts'
import type { WireError } from './wire-error.ts'

/** What is asked of the process that holds a connection. `id` has 128 random bits. */
export type Request = CallRequest | WishRequest | PlainRequest

export interface CallRequest extends Place {
  /** `ask` is for what is no tool: `tool` is the method then, and `args` its parameters. */
  kind: 'call' | 'ask'
  id: string
  /** The process that asks. */
  from: string
  tool: string
  args: Record<string, unknown>
  timeoutMs: number
  wantsProgress: boolean
  wantsNotices?: boolean | undefined
  /** From which level on log messages are wanted; undefined: none are. */
  logLevel?: string | undefined
  /** What the caller can be asked. */
  asks?: QuestionName[] | undefined
  caller?: string | undefined
  trace?: TraceContext | undefined
  meta?: Record<string, unknown> | undefined
}

/** `wish` says all, `wish_change` what is other than before: its answer is null if unknown. */
export interface WishRequest extends Place, ToldWishes {
  kind: 'wish' | 'wish_change'
  id: string
  from: string
}

export type QuestionName = keyof ServerQuestions

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
  | QuestionAnswer

/** To a question of a call; `asking` says that the answer is on its way. */
export type QuestionAnswer = { id: string; question: number } & (
  | { kind: 'asking' }
  | { kind: 'answer'; refused: true }
  | { kind: 'answer'; refused?: undefined; value: unknown }
)

export type Upward = Request | Remark

export type Downward =
  | { kind: 'ack'; id: string }
  | { kind: 'progress'; id: string; progress: Progress }
  | { kind: 'notice'; id: string; notice: ServerNotice }
  | AskedQuestion
  /** Nobody waits for the answer any more. */
  | { kind: 'question_over'; id: string; question: number }
  | { kind: 'done'; id: string; value: unknown }
  | { kind: 'failed'; id: string; error: WireError }

export interface AskedQuestion {
  kind: 'question'
  id: string
  question: number
  name: QuestionName
  params: unknown
  key?: string | undefined
}

/** What the holder of a connection tells all others of it. */
export interface News extends Place, Standing {
  kind: 'news'
}

export type Gone = Place & { kind: 'gone' }

/** Something that a server offers has changed; from the process that holds the connection. */
export interface Noticed {
  kind: 'notice'
  from: string
  key: UpstreamKey
  notice: ServerNotice
}

export interface Standing {
  state: LinkState
  /** Needs no holder: each process may have its own connection. */
  stateless: boolean
  /** Rises with every change of the state or the tools. */
  seq: number
}

export interface Description extends Standing {
  tools: readonly unknown[]
  server?: LinkServer | undefined
}

export const channels = {
  up: (owner: string) => `hub:up:${owner}`,
  down: (owner: string) => `hub:down:${owner}`,
  news: 'hub:upstreams',
}
