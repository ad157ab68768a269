import type { CallToolResult, EraVerdict, ServerNotice } from '@dataagent/mcp'
import type { ServerFault, ServerStatus } from '@dataagent/schema'
import type { RegisteredServer } from '../servers/index.ts'
import type { LinkOptions, LinkServer } from './links/link.ts'

/** Where a call goes out: one server under one credential. */
export interface UpstreamKey {
  tenant_id: string
  server_id: string
  /** Null where the server's own credentials are shared. */
  user_id: string | null
}

export interface UpstreamWait {
  signal?: AbortSignal | undefined
}

export interface UpstreamHealth {
  server_id: string
  tenant_id: string
  user_id: string | null
  /** B1.1: `running`, `stopped` or `error`. */
  status: ServerStatus
  /** Why it is not running, or not with all its tools, in words for its owner; without secrets. */
  message?: string
  /** The same for programs, where it is one of these. */
  fault?: ServerFault
  /** When the next attempt begins, whole milliseconds since 1970. */
  retry_at?: number
  authorization_url?: string
  breaker: 'closed' | 'open' | 'half_open'
  /** Which process holds the connection; this one where `own`. */
  holder: { owner: string; own: boolean } | undefined
  since: number
}

export interface UpstreamCall {
  tool: string
  args: Record<string, unknown>
  /** The deadline of the whole call, retries and waits included; not what `questions` take. */
  deadlineMs: number
  /** May be sent again after it may have run. */
  idempotent: boolean
  maxRetries: number
  options: Omit<LinkOptions, 'timeoutMs'>
  /**
   * Called just before each attempt is sent, after any wait for a connection, whose tools the
   * catalogue has seen by then. What it throws ends the call as it is.
   */
  check?: (() => void) | undefined
}

export interface UpstreamAnswer<T = CallToolResult> {
  result: T
  attempts: number
}

/**
 * The connections to all servers, of all tenants and users. One server that hangs, fails or floods
 * delays no other. What fails is an McpError; `attempts` is in its data.
 */
export interface Upstreams extends AsyncDisposable {
  /**
   * Begins to follow `servers`: shared ones are connected at once, in the background; those of
   * users, and per-user credentials, at their first use. Returns before any is connected.
   */
  start(): void
  call(key: UpstreamKey, call: UpstreamCall): Promise<UpstreamAnswer>
  /** As `call`, for what is no tool: `tool` is the method, `args` are its parameters. */
  ask(key: UpstreamKey, call: UpstreamCall): Promise<UpstreamAnswer<Record<string, unknown>>>
  /**
   * Asks for `resource_updated` notices until the returned function is called, also where the
   * connection is lost meanwhile. Rejects with an McpError where the server does not agree.
   */
  subscribe(key: UpstreamKey, uri: string, options?: UpstreamWait): Promise<() => Promise<void>>
  /**
   * Asks for log lines from `level` on; of several callers' the level that tells most. A server
   * that does not agree within 2 s is no longer waited for, and told when it can be.
   */
  setLevel(key: UpstreamKey, level: string, options?: UpstreamWait): Promise<void>
  /** What a server that is connected says of itself; undefined while it is not. */
  describe(key: UpstreamKey): LinkServer | undefined
  /** Changes at servers, whichever process is connected to them. `handler` must not throw. */
  onNotice(handler: (noticed: UpstreamKey & { notice: ServerNotice }) => void): () => void
  /** Asks the server for its tools again; settles when the catalogue has them. */
  refresh(key: UpstreamKey, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Connects now, from whatever state: after a sign-in, or because a person asks. Settles when the
   * catalogue has the tools. Like `refresh` it asks nobody whether that may be: the caller has.
   */
  reconnect(key: UpstreamKey, options?: { signal?: AbortSignal }): Promise<void>
  health(tenant_id: string, server_id: string): readonly UpstreamHealth[]
  /** `connectMs`: how long it has taken to connect, where it just has. */
  onHealth(handler: (health: UpstreamHealth, connectMs?: number) => void): () => void
  /**
   * A user's session begins and ends: their connections live as long as one of them, and a while.
   * With `session_id`, that of an open session, its servers are connected, else the newest.
   */
  hold(user: { tenant_id: string; user_id: string; session_id?: string | undefined }): () => void
  /**
   * Opens, lists and closes, without registering anything: each step with its time, as far as it
   * came. It may start a process, and knows no principal: the caller must have passed the same gate
   * as for adding the server.
   */
  test(server: RegisteredServer, options?: { signal?: AbortSignal }): Promise<ConnectionTest>
  /**
   * Before `close`, so that it cuts nothing: other processes wait from now on for the one that
   * connects next. Settles when what they have asked of this one is answered, or after `ms`.
   */
  handOver(ms: number): Promise<void>
  close(): Promise<void>
}

export interface ConnectionTest {
  ok: boolean
  steps: {
    name: 'start' | 'initialize' | 'list tools' | 'check schemas'
    status: 'ok' | 'failed' | 'skipped'
    ms: number
    message?: string
    fault?: ServerFault
  }[]
  protocol?: Pick<EraVerdict, 'era' | 'version'>
  tool_count?: number
  /** The last lines that a stdio server wrote to stderr, without secrets. */
  log?: string[]
}

/** Before attempt n: `firstMs` × 2^(n−1), at most `maxMs`, less up to half at random. */
export interface ReconnectWaits {
  firstMs: number
  maxMs: number
}

export interface UpstreamLimits {
  /** Connections of one user, besides the shared ones. Default 5. */
  perUser: number
  /** Connections of this process. Default 500. */
  perProcess: number
  /**
   * The share of one tenant in those. It may take more while there is room, and gives way then; the
   * platform's own servers count for nobody. Default 125.
   */
  perTenant: number
  /**
   * A user's connection that nobody has used for so long is closed, unless a session of theirs
   * holds it. Default 5 minutes.
   */
  idleMs: number
  /** The same, after the last session of the user has ended. Default 30 s. */
  lingerMs: number
  /**
   * Tools that one server may have: of its list the first are taken; in the catalogue those that
   * are gone count too. Default 2,000.
   */
  toolsPerServer: number
  /**
   * Calls that a tenant's server may have under way from this process. Default 1,024; in a hub half
   * of those that its tenant may, so that one server cannot hold them all.
   */
  callsPerServer: number
  /** The same for one of the platform's, which all tenants call. Default 1,024. */
  callsPerPlatformServer: number
  /** The same for a server that a user added. Default 64. */
  callsPerUsersServer: number
  /** Servers that are being connected at the same time. Default 32. */
  connecting: number
  /** How long calls may go on over a configuration that has changed. Default 30 s. */
  drainMs: number
  /** How long a process that has died holds its connections. Default 6 s. */
  leaseMs: number
}
