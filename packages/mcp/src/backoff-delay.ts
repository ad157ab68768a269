export interface BackoffSpan {
  firstMs: number
  maxMs: number
}

/** `firstMs` × 2^(attempt − 1), at most `maxMs`, less up to half at random. */
export function backoffDelay(
  attempt: number,
  { firstMs, maxMs }: BackoffSpan,
  random: () => number,
): number {
  const whole = Math.min(maxMs, firstMs * 2 ** (attempt - 1))
  return whole * (1 - random() / 2)
}
