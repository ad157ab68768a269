export interface ArrivalOptions {
  /** In a second, once the ramp is over. */
  rate: number
  ramp_seconds: number
}

/**
 * When the n-th asking (from 0) is planned, in milliseconds since the start. In the ramp the rate
 * grows from 0 in a line: after t seconds rate·t²/(2·ramp) have been planned.
 */
export function createArrivals({ rate, ramp_seconds }: ArrivalOptions): (n: number) => number {
  const inRamp = (rate * ramp_seconds) / 2
  return (n) => {
    if (n < inRamp) return Math.sqrt((2 * ramp_seconds * n) / rate) * 1_000
    return (ramp_seconds + (n - inRamp) / rate) * 1_000
  }
}
