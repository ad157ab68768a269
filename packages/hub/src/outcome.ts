import type { CallToolResult, RpcFault } from '@dataagent/mcp'
import type { ErrorCode, FieldError } from '@dataagent/schema'

/** How a call ended. An expected failure is a value: `callTool` does not throw for it. */
export type ToolOutcome =
  | (OutcomeBase & { status: 'ok'; result: ToolResult })
  /** The tool itself says that it failed, or its server does: `result` is set for the former. */
  | (OutcomeBase & { status: 'failed'; error: ToolFault; result?: ToolResult })
  | (OutcomeBase & { status: RefusedStatus; error: ToolFault })

/** Ends without an answer of the tool. */
export type RefusedStatus =
  | 'denied'
  | 'invalid'
  | 'limited'
  | 'rejected'
  | 'timeout'
  | 'unavailable'
  | 'cancelled'
  /** It may have run, nobody knows with what effect; it is not run again by itself. */
  | 'unknown_outcome'

interface OutcomeBase {
  call_id: string
  trace_id: string
  duration_ms: number
  /** Left out where the caller may not know of the tool. */
  tool?: CalledTool
}

export interface CalledTool {
  server_id: string
  name: string
  version: number
  hash: string
}

/** As the server gave it, or the beginning of it with a handle for the rest. */
export interface ToolResult {
  text: string
  raw: CallToolResult
  /** Set where the whole was too large to hand over. */
  rest?: ResultHandle
}

/** A result that is kept aside: `results.read` gives it page by page. */
export interface ResultHandle {
  result_id: string
  bytes: number
  pages: number
  expires_at: number
}

/**
 * Why a call gave no result: the same object is in the span, in the audit row and in what the model
 * reads.
 */
export interface ToolFault {
  code: ErrorCode
  message: string
  tool_name: string
  /** What may help: the same call again, another way, a person, other arguments. */
  advice: 'retry' | 'degrade' | 'ask_user' | 'fix_arguments' | 'give_up'
  /** Fields of the arguments, or of the result, that are not as the schema says. */
  errors?: FieldError[]
  approval_id?: string
  /** What the one who rejected the call wants, where they said so. */
  on_reject?: 'end' | 'tell'
  retry_after_ms?: number
  /** The JSON-RPC error that the server answered with, where it did: without secrets. */
  rpc?: RpcFault
}
