import type { Limiter } from '../limits/index.ts'
import type { Limit, Policy } from '../policy/index.ts'
import { refuse } from './fault.ts'
import type { Admitted, Ending } from './underway.ts'

/** Counts the call in every window that it falls into. */
export async function withinLimits(
  means: { policy: Policy; limiter: Limiter },
  admitted: Admitted,
  fits: (limit: Limit) => boolean = () => true,
): Promise<Ending | undefined> {
  const { principal } = admitted.context
  const limits = means.policy.limitsFor(principal, admitted.entry.tool).filter(fits)
  if (limits.length === 0) return undefined
  const verdict = await means.limiter.take(principal, limits)
  if (verdict.status === 'ok') return undefined
  const { max_calls, window_ms } = verdict.limit
  const seconds = Math.ceil(verdict.retryAfterMs / 1000)
  return refuse(admitted, 'limited', {
    code: 'rate_limited',
    message: `More than ${max_calls} calls in ${window_ms / 1000} s: try again in ${seconds} s.`,
    advice: 'retry',
    retry_after_ms: verdict.retryAfterMs,
  })
}
