import type { CallContext } from '../call-context.ts'
import type { ToolOutcome } from '../outcome.ts'
import type { ToolRef } from '../tool-ref.ts'

/** What is to be called, as the caller says it. */
export interface ToolCall {
  /** Any name of the tool that the caller's list has, or its identity. */
  tool: string | ToolRef
  args?: Record<string, unknown> | undefined
  /** The model's or client's id of the call, for approvals and events. */
  tool_call_id?: string | undefined
  /** Shortens the tool's own time limit; never lengthens it. */
  timeout_ms?: number | undefined
}

/**
 * Runs one tool for one caller, under the policy, and records it. Every expected failure is an
 * outcome. Never throws and never leaves a span or an audit row open.
 */
export type CallTool = (context: CallContext, call: ToolCall) => Promise<ToolOutcome>

export interface CallSettings {
  /** Whether the audit and the spans hold arguments and results, masked. Default: no. */
  recordArgs?: boolean | undefined
  /** Whether the spans do, without the audit [C6.2]. Default: no. */
  traceArgs?: boolean | undefined
  /** The time limit of tools of our own that name none. Default 30 s. */
  ownTimeoutMs?: number | undefined
}
