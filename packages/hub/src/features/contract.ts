import type { ServerCapabilities, ServerNotice } from '@dataagent/mcp'
import type { CallContext } from '../call-context.ts'
import type { RefusedStatus, ToolFault } from '../outcome.ts'
import type { JudgedContext } from '../policy/index.ts'

/** A connected server, as far as a caller may use it besides its tools. */
export interface FeatureServer {
  server_id: string
  tenant_id: string
  /** Whose connection it is; null is one that is shared. */
  user_id: string | null
  /** Its alias, or its name. */
  name: string
  /** When it was registered. */
  created_at: number
  /** As the server says, without what the caller may not use. */
  capabilities: ServerCapabilities
  /** Which lists of it the caller may ask for: `resources/list` (templates too), `prompts/list`. */
  lists: readonly string[]
  /** Without hidden characters, and cut; left out where they look like an attack. */
  instructions?: string
}

export interface FeatureAsk {
  server_id: string
  /**
   * `resources/list`, `resources/templates/list`, `resources/read`, `prompts/list`, `prompts/get`,
   * `completion/complete` or `logging/setLevel`.
   */
  method: string
  /** What the method does not know is left out. */
  params: Record<string, unknown>
}

/** How it ended: as a call of a tool does. */
export type FeatureOutcome =
  | (FeatureBase & { status: 'ok'; result: Record<string, unknown> })
  | (FeatureBase & { status: RefusedStatus | 'failed'; error: ToolFault })

interface FeatureBase {
  call_id: string
  trace_id: string
  duration_ms: number
}

/** Something changed at a server. */
export interface FeatureNotice {
  tenant_id: string
  server_id: string
  /** Whose connection it is about; null is one that is shared. */
  user_id: string | null
  /** `resources_changed`, `prompts_changed` or `resource_updated`. */
  notice: ServerNotice
}

/**
 * What servers have besides tools. A method is judged as a tool of that name would be: a list that
 * allows `*` or `resources/*` of the server includes `resources/read`, one that names tools does
 * not; rules, limits, deadlines and the record are the same.
 */
export interface Features {
  /** The servers that the caller may use so now, sorted by name. */
  list(context: JudgedContext): readonly FeatureServer[]
  /**
   * Asks a server. Every expected failure is an outcome. A list is whole; anything else is as the
   * server sent it. Lists, completions and log levels are not recorded, and count in no limit but
   * for completions. Of several callers' log levels the one that tells most stays; it is waited for
   * 2 s at most, and the server is told when it can be.
   */
  ask(context: CallContext, asked: FeatureAsk): Promise<FeatureOutcome>
  /**
   * Asks for `resource_updated` notices until the returned function is called; the server is asked
   * once for all who do. Rejects with an AppError: `tool_not_allowed`, or what the server says.
   */
  subscribe(
    context: JudgedContext & Pick<CallContext, 'signal'>,
    wish: { server_id: string; uri: string },
  ): Promise<() => Promise<void>>
  /** Told in every process, whichever is connected to the server. `handler` must not throw. */
  onNotice(handler: (noticed: FeatureNotice) => void): () => void
}
