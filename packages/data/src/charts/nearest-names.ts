/** The names that are most alike to one that is not among them, best first. */
export function nearestNames(wanted: string, names: readonly string[], count = 3): string[] {
  const target = fold(wanted)
  return names
    .slice(0, 500)
    .map((name) => ({ name, distance: distanceOf(target, fold(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name)
}

/** Spelling without what people and models confuse: case, spaces, underscores, dashes. */
function fold(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
}

/** Edits between two names; less where one is a part of the other. */
function distanceOf(a: string, b: string): number {
  if (a.length > 1 && b.length > 1 && (a.includes(b) || b.includes(a))) return 0.5
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(change, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
