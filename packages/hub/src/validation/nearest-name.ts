const candidatesMax = 200
const lengthMax = 64

/** The name among `names` that `name` was probably meant to be. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > lengthMax) return undefined
  const plain = toPlain(name)
  let nearest: { name: string; distance: number } | undefined
  for (const candidate of names.slice(0, candidatesMax)) {
    if (candidate.length > lengthMax) continue
    const distance = distanceOf(plain, toPlain(candidate))
    if (!nearest || distance < nearest.distance) nearest = { name: candidate, distance }
  }
  const most = Math.max(1, Math.floor(plain.length / 3))
  return nearest && nearest.distance <= most ? nearest.name : undefined
}

/** `order_id`, `order-id` and `OrderId` are near. */
function toPlain(name: string): string {
  return name.toLowerCase().replace(/[_\-.\s]/g, '')
}

/** Levenshtein's distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
