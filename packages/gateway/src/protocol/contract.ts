import type { Principal } from '@dataagent/hub'
import type { Scope } from '../tokens/index.ts'

/** `legacy` begins with `initialize` (until 2025-11-25), `modern` needs none (from 2026-07-28). */
export type Era = 'legacy' | 'modern'

/** Who asks, as the credential says. */
export interface Caller {
  principal: Principal
  group_id: string
  group_name: string
  /** When its group was made: a later group of the same id is another one. */
  group_made_at: number
  scopes: readonly Scope[]
  /** HMAC of the token or key: tells the owner of a stream whose credential has expired. */
  credential: string
  /** Who holds what it began: the grant, or the key. A renewed token is the same one's. */
  owner_key: string
  /** What limits count by: the group's key, or the person who let the client in. */
  quota_key: string
  /** The group's key that let it in, itself or by a token; null where a person did. */
  key_id: string | null
  /** When its token expires; null for a key. */
  expires_at: number | null
  /** Name of the client, as its registration or `clientInfo` says. */
  client: string
  profile: 'standard' | 'seed'
}

/** What the client can be asked, as it said of itself. */
export interface ClientCapabilities {
  elicitation?: Record<string, unknown>
  sampling?: Record<string, unknown>
  roots?: Record<string, unknown>
  [name: string]: unknown
}

/** One request of a client under way, as the methods see it. */
export interface Exchange {
  era: Era
  /** A revision: `2025-11-25`. */
  version: string
  capabilities: ClientCapabilities
  /** Its session, in the era that has them. */
  asker?: string | undefined
  /** From which level on log messages are wanted; none where it is not set. */
  logLevel: string | undefined
  /** Ends with the client, or when it cancels. */
  signal: AbortSignal
  /** A notification that belongs to this request: progress, a log message. Never throws. */
  notify(method: string, params: Record<string, unknown>): void
  /**
   * A question to the client, in whichever form its era has. Rejects with an AppError where it
   * cannot be asked, does not answer in time, or has gone; with an RpcError where it answers so.
   */
  ask(
    method: string,
    params: Record<string, unknown>,
    options: { signal: AbortSignal; key?: string | undefined },
  ): Promise<unknown>
}

export interface RpcRequest {
  jsonrpc: '2.0'
  id: string | number
  method: string
  params?: Record<string, unknown>
}

/** What goes back; `text` is the JSON of the result where that is at hand. */
export type Reply =
  | { kind: 'result'; result: Record<string, unknown> }
  | { kind: 'text'; text: string }
  | { kind: 'error'; error: RpcFault; status?: number; retryAfterMs?: number }

export interface RpcFault {
  code: number
  message: string
  data?: unknown
}

/** Answers any request but those of the transport itself. Never throws. */
export type Respond = (caller: Caller, request: RpcRequest, exchange: Exchange) => Promise<Reply>
