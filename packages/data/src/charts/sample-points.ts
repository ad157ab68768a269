/**
 * The indexes of at most `count` points that keep the shape of a line (largest triangle, three
 * buckets). Points without a value are not chosen; a gap stays one where the caller draws it.
 */
export function samplePoints(
  xs: ArrayLike<number>,
  ys: ArrayLike<number | null | undefined>,
  count: number,
): number[] {
  const present: number[] = []
  for (let i = 0; i < ys.length; i++) if (typeof ys[i] === 'number') present.push(i)
  if (present.length <= count || count < 3) return present.slice(0, Math.max(count, 0))
  const chosen = [present[0]!]
  const size = (present.length - 2) / (count - 2)
  for (let bucket = 0; bucket < count - 2; bucket++) {
    const from = Math.floor(bucket * size) + 1
    const to = Math.floor((bucket + 1) * size) + 1
    const next = average(to, Math.min(Math.floor((bucket + 2) * size) + 1, present.length))
    chosen.push(largestTriangle(from, to, chosen.at(-1)!, next))
  }
  chosen.push(present.at(-1)!)
  return chosen

  function average(from: number, to: number): { x: number; y: number } {
    const end = Math.max(to, from + 1)
    let x = 0
    let y = 0
    for (let i = from; i < end; i++) {
      x += xs[present[i]!]! / (end - from)
      y += ys[present[i]!]! / (end - from)
    }
    return { x, y }
  }

  function largestTriangle(
    from: number,
    to: number,
    last: number,
    next: { x: number; y: number },
  ): number {
    const [lastX, lastY] = [xs[last]!, ys[last]!]
    let best = present[from]!
    let most = -1
    for (let i = from; i < to; i++) {
      const [x, y] = [xs[present[i]!]!, ys[present[i]!]!]
      const area = Math.abs((lastX - next.x) * (y - lastY) - (lastX - x) * (next.y - lastY))
      if (area > most) [most, best] = [area, present[i]!]
    }
    return best
  }
}
