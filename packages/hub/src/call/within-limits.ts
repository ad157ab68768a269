import type { Limiter, LimitVerdict } from '../limits/index.ts'
import type { Limit, Policy } from '../policy/index.ts'
import { refuse } from './fault.ts'
import type { Admitted, Ending } from './underway.ts'

/** Counts the call in every window that it falls into; at once where that is none. */
export function withinLimits(
  means: { policy: Policy; limiter: Limiter },
  admitted: Admitted,
  fits?: (limit: Limit) => boolean,
): undefined | Promise<Ending | undefined> {
  const { principal } = admitted.context
  const all = means.policy.limitsFor(principal, admitted.entry.tool)
  const limits = fits ? all.filter(fits) : all
  if (limits.length === 0) return undefined
  return means.limiter.take(principal, limits).then((verdict) => judge(admitted, verdict))
}

function judge(admitted: Admitted, verdict: LimitVerdict): Ending | undefined {
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
