/** Whether both hold the same things in the same order. */
export function areSame<T>(one: readonly T[], other: readonly T[]): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
