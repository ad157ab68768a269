import type { OwnTool, Principal, SpanOptions } from '@dataagent/hub'
import type { ContextWeight, ExecutionEvent, SentEvent } from '@dataagent/schema'
import type { ApprovalPolicy, RejectRule } from '../hitl/index.ts'
import type { ToolMode } from '../intent/index.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import type { ModelPort, ModelPrice } from '../models/index.ts'
import type { TurnDriver } from './driver.ts'

/** How an agent is made [D4]. */
export interface AgentConfig {
  assistant_id: string
  /** Default: that of Settings. */
  model?: ModelPort | string | undefined
  enable_memory?: boolean | undefined
  enable_skills?: boolean | undefined
  enable_shell?: boolean | undefined
  /** Approves everything that would be asked; the audit says so. */
  auto_approve?: boolean | undefined
  /** `bubblewrap` or `none`; an unknown kind is an error. Null: the files of the workspace only. */
  sandbox_type?: string | null | undefined
  system_prompt?: string | undefined
  extra_tools?: readonly OwnTool[] | undefined
  /** One that brings a `write_todos` takes the place of the built-in plan. */
  extra_middleware?: readonly AgentMiddleware[] | undefined
  /** How MCP tools enter the prompt. Default `auto`. */
  tool_mode?: ToolMode | undefined
  tool_budget_tokens?: number | undefined
  /** Model calls of one run. Default 50. */
  max_turns?: number | undefined
  /** Default `end`. */
  on_reject?: RejectRule | undefined
}

/** An agent, ready to run: what `AgentFactory` makes and `AgentExecutor` runs. */
export interface Agent {
  readonly assistant_id: string
  readonly model: ModelPort
  readonly price: ModelPrice | undefined
  readonly systemPrompt: string
  readonly middleware: readonly AgentMiddleware[]
  /** Built-in, extra and middlewares' tools. */
  readonly tools: readonly OwnTool[]
  readonly toolMode: ToolMode
  readonly toolBudgetTokens: number
  readonly maxTurns: number
  readonly autoApprove: boolean
  readonly onReject: RejectRule
  /** Works on turns in place of the engine's own loop. */
  readonly driver?: TurnDriver | undefined
}

/** Who runs an agent and how; from the credential and the session, never from the message. */
export interface ExecuteContext {
  principal: Principal
  signal?: AbortSignal | undefined
  approvals?: ApprovalPolicy | undefined
  /**
   * Ids of servers that the run does without: the model neither hears of their tools nor has them.
   */
  without?: ReadonlySet<string> | undefined
  /** Told to middlewares. */
  extra?: Readonly<Record<string, unknown>> | undefined
  /** The client's id of the message: sent twice it is one message. */
  message_id?: string | undefined
  /** The run's id, which no other has. Default: a new one. `resume` keeps that of an open run. */
  run_id?: string | undefined
  /** W3C trace context of what it is part of. */
  trace?: SpanOptions['parent']
  /**
   * Awaited each time before the model is asked, for a host that lets so many runs work at once.
   * The signal is the run's; what it rejects with ends the run.
   */
  waitForPlace?: ((signal: AbortSignal) => Promise<void>) | undefined
}

export interface ResumeContext extends ExecuteContext {
  /** Goes on with this run alone: with no other, and not with it once it has ended. */
  onlyRun?: string | undefined
}

/**
 * Runs turns [D5]. The iterable never throws: what goes wrong is an `error` event, and the last
 * event is `done` or an `error` that is not recoverable. Who stops reading cancels the run, unless
 * `onLeave` is `finish`. A run that has lost its lease ends without either: it is another's. Where
 * none begins, all there is is an `error` with `seq` 0, whose `details` tell of a message that was
 * `received` already, and of a session that is `busy`.
 */
export interface AgentExecutor {
  execute(
    userInput: string,
    sessionId: string,
    context: ExecuteContext,
  ): AsyncIterable<SentEvent & ExecutionEvent>
  /**
   * Goes on with a run that a dead process left: waits for its approvals, gives `unknown_outcome`
   * to what may have run, and lets the model go on. Asks the model again where the last run ended
   * in an error that may pass. Ends at once where nothing was left.
   */
  resume(sessionId: string, context: ResumeContext): AsyncIterable<SentEvent & ExecutionEvent>
  /**
   * Shortens what the model reads of the session, now: a run without a message whose events are
   * `summary`, `usage` and `done`. Ends at once where there is nothing to shorten; nothing is
   * changed where the model gives no summary, which is an `error`.
   */
  compact(sessionId: string, context: ExecuteContext): AsyncIterable<SentEvent & ExecutionEvent>
  /** What the next call of the model would read. Rejects with what the log throws. */
  weigh(sessionId: string, context: ExecuteContext): Promise<ContextWeight>
}
