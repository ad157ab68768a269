import type { Difference } from '@dataagent/schema'

/** Whether the interval alone seems to tell more than the verdict does. */
export function isOdd({ low, high, verdict }: Difference): boolean {
  if (verdict !== 'within_noise' || low === null || high === null) return false
  return low > 0 || high < 0
}
