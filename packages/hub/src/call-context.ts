import type { Progress, ServerNotice, ServerQuestions, TraceContext } from '@dataagent/mcp'
import type { ExecutionEvent } from '@dataagent/schema'
import type { Toolset } from './catalogue/index.ts'
import type { Principal } from './principal.ts'

/** Where a call came from, as the audit writes it. */
export type CallSource = 'agent' | 'gateway' | 'try_it' | 'harbor' | 'api' | 'sdk'

/** What `callTool` needs to know beside the call itself. */
export interface CallContext {
  principal: Principal
  source: CallSource
  /** Ends the call, also while it waits for an approval. */
  signal?: AbortSignal | undefined
  session_id?: string | undefined
  run?: RunState | undefined
  /**
   * The approval that the run's log has of this call, where a process died before it had started
   * it: the decision holds once more, though that process may have used it. Never for a call that
   * may have begun.
   */
  resumed?: string | undefined
  /** Tools that the caller brings along. Never from a request. */
  tools?: Toolset | undefined
  /** W3C trace context of the turn; without one a trace begins here. */
  trace?: TraceContext | undefined
  /** Told of what people should see: an approval that is asked for. Must not throw. */
  emit?: ((event: ExecutionEvent) => void) | undefined
  onProgress?: ((progress: Progress) => void) | undefined
  /**
   * Answers what the server asks for this call alone, as far as `passesQuestions` offers it. The
   * time that this takes does not count.
   */
  questions?: ServerQuestions | undefined
  /**
   * Who makes the call, where several share its principal: a client's session, or its credential.
   * What may be for a call that it gave up is asked of nobody else. Default: `session_id`.
   */
  asker?: string | undefined
  /** Log lines of the server that belong to this call, and the like. Must not throw. */
  onNotice?: ((notice: ServerNotice) => void) | undefined
  /**
   * From which level on `onNotice` is for log lines. Of a connection that another process holds no
   * others come, and without a level none; of one of this process all do.
   */
  logLevel?: string | undefined
  /**
   * Who can be asked. `nobody`: an ask is a refusal that names the setting. `wait`: the call waits
   * for the decision. `hold`: as `wait`, at most `holdMs`; then the error names the approval, and
   * the same call made again uses the decision. `auto`: an explicit setting approves in a person's
   * place, and the audit says which.
   */
  approver: Approver
  /**
   * Makes the start durable in the caller's own log too, as an agent's run does with its
   * `tool_started` event. Resolves when it is; what it rejects with ends the call before it began.
   */
  recordStart?: ((start: StartRecord) => Promise<void>) | undefined
}

export type Approver =
  | { kind: 'nobody' }
  | { kind: 'wait'; timeoutMs?: number | undefined }
  | { kind: 'hold'; holdMs: number }
  | {
      kind: 'auto'
      setting: string
      /** Who decides on calls that may do harm: see `mayDoHarm`. Default: the setting, too. */
      harmful?: Exclude<Approver, { kind: 'auto' }> | undefined
    }

/** One run of an agent, or one session of a client: what it has read so far. */
export interface RunState {
  run_id: string
  /** Servers whose output this run has read and that nobody vouches for. The hub adds to it. */
  untrusted: Set<string>
  /** Servers that it does without: their tools are not there for it. Never changes. */
  without?: ReadonlySet<string> | undefined
}

/** What must survive the death of the process before a tool is executed. */
export interface StartRecord {
  call_id: string
  tool_name: string
  idempotent: boolean
}
