/** The value below which so many of a hundred lie; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((share / 100) * sorted.length))] ?? Number.NaN
  )
}

/** What is told of many times: how many, the middle one, and the late ones. */
export interface Times {
  count: number
  p50: number
  p99: number
  most: number
}

export function summarise(values: readonly number[]): Times {
  return {
    count: values.length,
    p50: percentile(values, 50),
    p99: percentile(values, 99),
    most: percentile(values, 100),
  }
}
