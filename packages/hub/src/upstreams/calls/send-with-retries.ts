import { type Clock, wait } from '@dataagent/guard'
import { type CallToolResult, isMcpError, type McpError } from '@dataagent/mcp'
import type { UpstreamAnswer, UpstreamCall } from '../contract.ts'
import { cancelledError, withAttempts } from './errors.ts'
import type { RetryBudget } from './retry-budget.ts'

export interface SendMeans {
  clock: Clock
  budget: RetryBudget
  /** `server.tool`, for the message. */
  what: string
  /** One attempt, which may take `leftMs`. */
  send(call: UpstreamCall, leftMs: number): Promise<CallToolResult>
  /** How long the caller has been asked, which does not count. */
  askedMs?: (() => number) | undefined
}

const firstPauseMs = 100

/**
 * Sends a call, and again after 100 ms × 2^(n−1) before retry n where that may help and cannot
 * harm, within its deadline and the server's budget of retries.
 */
export async function sendWithRetries(
  call: UpstreamCall,
  means: SendMeans,
): Promise<UpstreamAnswer> {
  const { clock, budget, what } = means
  const begun = clock.monotonic()
  budget.called()
  for (let attempts = 1; ; attempts += 1) {
    try {
      const leftMs = attempts === 1 ? call.deadlineMs : leftOf(call, means, begun)
      return { result: await means.send(call, leftMs), attempts }
    } catch (error) {
      if (!isMcpError(error)) throw error
      const pauseMs = firstPauseMs * 2 ** (attempts - 1)
      const hasTime = pauseMs < leftOf(call, means, begun)
      const mayRetry = attempts <= call.maxRetries && hasTime && isSafe(error, call)
      if (!mayRetry || !budget.take()) throw withAttempts(error, what, attempts)
      await pause(pauseMs, error, { call, means, attempts })
    }
  }
}

function leftOf({ deadlineMs }: UpstreamCall, { clock, askedMs }: SendMeans, begun: number) {
  return deadlineMs + (askedMs?.() ?? 0) - (clock.monotonic() - begun)
}

/** A server that answers 429 has not run the request, whatever else is known. */
function isSafe(error: McpError, { idempotent }: UpstreamCall): boolean {
  if (!error.retryable || error.data?.breaker === 'open') return false
  return idempotent || !error.mayHaveRun || error.statusCode === 429
}

async function pause(
  ms: number,
  { mayHaveRun }: McpError,
  { call, means, attempts }: { call: UpstreamCall; means: SendMeans; attempts: number },
): Promise<void> {
  const { signal } = call.options
  await wait(means.clock, ms, signal)
  if (!signal?.aborted) return
  throw withAttempts(cancelledError(signal, mayHaveRun), means.what, attempts)
}
