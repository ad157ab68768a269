/** How many letters in a row a slip of the hand gets wrong. */
const slipLength = 2

/** The one of `known` that `name` was probably meant to be: `allowedTools` for `allowed_tool`. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => differBySlip(toPlain(name), toPlain(candidate)))
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** Whether they are the same but for a few letters in one place, and have more in common. */
function differBySlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const differing = Math.max(a.length, b.length) - start - end
  return differing <= slipLength && start + end > 0
}
