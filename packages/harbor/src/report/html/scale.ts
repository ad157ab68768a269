/** Where a value stands on an axis, and which values are written on it. */
export interface Scale {
  at(value: number): number
  ticks: number[]
}

/** From `from` to `to` on paper for 0 to at least `max`, with about five round values. */
export function linearScale(max: number, [from, to]: readonly [number, number]): Scale {
  const step = roundUp(Math.max(max, Number.MIN_VALUE) / 4)
  const top = Math.max(1, Math.ceil(max / step - 1e-9)) * step
  const count = Math.round(top / step)
  return {
    at: (value) => from + ((to - from) * value) / top,
    ticks: Array.from({ length: count + 1 }, (_, at) => at * step),
  }
}

/** 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const digits = value / power
  return (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10) * power
}

/** Each tenfold is as wide as the next. */
export function logScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  const [start, end] = [Math.log10(low), Math.log10(high)]
  const factors = end - start > 3 ? [1] : end - start > 1.2 ? [1, 3] : [1, 2, 3, 5, 7]
  const ticks: number[] = []
  for (let power = Math.floor(start); power <= Math.ceil(end); power += 1) {
    for (const factor of factors) ticks.push(factor * 10 ** power)
  }
  return {
    at: (value) => from + ((to - from) * (Math.log10(value) - start)) / (end - start),
    ticks: ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001),
  }
}
