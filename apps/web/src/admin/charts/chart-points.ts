const width = 100
const height = 32

/** The box that charts are drawn in; it is stretched to the place that there is. */
export const chartBox = `0 0 ${width} ${height}`

/** The points of a line over all values, the newest at the right end. */
export function toPoints(values: readonly number[], slots: number): string {
  const top = Math.max(...values, 1)
  const step = width / Math.max(1, slots - 1)
  const from = width - step * (values.length - 1)
  return values
    .map(
      (value, i) => `${round(from + step * i)},${round(height - 1 - (value / top) * (height - 2))}`,
    )
    .join(' ')
}

export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** One bar for each value, from `floor` up; `top` is the value that fills the box. */
export function toBars(
  values: readonly number[],
  top: number,
  floors: readonly number[] = [],
): Bar[] {
  const step = width / Math.max(1, values.length)
  const scale = (value: number) => (value / Math.max(1, top)) * (height - 1)
  return values.map((value, i) => {
    const floor = scale(floors[i] ?? 0)
    const tall = scale(value)
    return {
      ...{ x: round(step * i + step * 0.1), y: round(height - floor - tall) },
      ...{ width: round(step * 0.8), height: round(tall) },
    }
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
