import type { Clock } from '@dataagent/guard'
import type { CallToolResult, RequestOptions } from '../client/contract.ts'
import type { Connection } from '../connection/contract.ts'
import { type McpError, retellError } from '../errors.ts'
import { toCallResult } from '../tools/call-result.ts'
import type { McpCallResult } from '../tools/contract.ts'
import type { CallEnd, McpManagerOptions } from './contract.ts'
import { withRetries } from './retry.ts'

/** One call of one tool. */
export interface ToolCall {
  /** The server's own name of the tool. */
  tool: string
  args: Record<string, unknown>
  options: RequestOptions
  maxRetries: number
  isIdempotent: boolean
}

export type Tracing = Pick<McpManagerOptions, 'onCall' | 'traceArgs'>

export interface CallMeans {
  connection: Connection
  tracing: Tracing
  clock: Clock
}

/** Calls a tool, again where that may help and cannot harm, and tells `onCall` of it. */
export async function callTool(call: ToolCall, means: CallMeans): Promise<McpCallResult> {
  const { connection, clock } = means
  const { onCall, traceArgs = false } = means.tracing
  const { tool, args, options } = call
  const begun = clock.monotonic()
  const onEnd = onCall?.({ server: connection.name, tool, ...(traceArgs && { args }) })
  let retries = 0
  const end = (how: Pick<CallEnd, 'status' | 'error' | 'result'>) =>
    onEnd?.({ ...how, durationMs: clock.monotonic() - begun, retries })
  try {
    const raw = await withRetries(() => connection.callTool(tool, args, options), {
      ...call,
      signal: options.signal,
      clock,
      onRetry(retry) {
        retries = retry
      },
      onExhausted: (error) => exhausted(error, `${connection.name}.${tool}`, retries),
    })
    end({ status: statusOf(raw), ...(traceArgs && { result: raw }) })
    return toCallResult(raw)
  } catch (error) {
    end({ status: 'error', error: error as Error })
    throw error
  }
}

function statusOf(result: CallToolResult): CallEnd['status'] {
  return result.isError === true ? 'error' : 'ok'
}

function exhausted(error: McpError, what: string, retries: number): McpError {
  const cause = error.message.replace(/^mcp: /, '')
  return retellError(error, `mcp: call ${what} failed after ${retries} retries: ${cause}`)
}
