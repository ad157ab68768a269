import type { CallToolResult } from '@dataagent/mcp'
import type { JsonObject, ToolAnnotations } from '@dataagent/schema'
import type { z } from 'zod'
import type { CallContext } from '../call-context.ts'

/** What a tool's function gets beside its arguments. */
export type OwnToolContext = Pick<
  CallContext,
  'principal' | 'session_id' | 'run' | 'emit' | 'trace'
> & {
  signal: AbortSignal
  call_id: string
  /** The model's or client's id of the call. */
  tool_call_id?: string | undefined
}

export type OwnApproval = 'allow' | 'ask'

export interface ToolSpec<Input extends z.ZodType, Output = unknown> {
  name: string
  title?: string
  description: string
  /** For grouping in lists. */
  category?: string
  /** The signature: an object schema. */
  input: Input
  /** Where set, results are checked against it and given as structured content. */
  output?: z.ZodType<Output>
  annotations?: ToolAnnotations
  /**
   * What holds where no rule speaks of it: `ask` for what acts outside the user's own space. A
   * function says it of each call; what it throws is `ask`.
   */
  approval?: OwnApproval | ((args: z.output<Input>) => OwnApproval)
  /** Whether its result is to be treated as coming from outside. Default: no. */
  untrusted?: boolean
  idempotent?: boolean
  timeoutMs?: number
  /**
   * Gives a string, a value for JSON, or (without `output`) a whole result with its `content`. What
   * it throws is the failure of the call.
   */
  run(args: z.output<Input>, context: OwnToolContext): Output | Promise<Output>
}

/** A tool of our own, as the hub takes it. */
export interface OwnTool {
  readonly name: string
  readonly title: string | undefined
  readonly description: string
  readonly category: string | undefined
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | undefined
  readonly annotations: ToolAnnotations
  /** A function never throws: arguments that do not fit are `ask`. */
  readonly approval: OwnApproval | ((args: Record<string, unknown>) => OwnApproval)
  readonly untrusted: boolean
  readonly idempotent: boolean
  readonly timeoutMs: number | undefined
  /**
   * Parses the arguments (defaults are filled in) and runs. Rejects with `invalid_arguments` or
   * `invalid_result`, whose `data.errors` names the fields, or as the function does.
   */
  run(args: Record<string, unknown>, context: OwnToolContext): Promise<CallToolResult>
}

/** The server id that our own tools are found under. No server can be registered with it. */
export const ownServerId = 'dataagent'
