/** The value below which the share `at` of the values lies; NaN of none. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * at
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Three figures: 1234 → 1,230; 0.012345 → 0.0123. */
export function toFigures(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}
