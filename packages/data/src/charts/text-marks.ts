import type { DataValue } from '@dataagent/schema'
import type { CartesianPlot } from './plot-cartesian.ts'
import type { HeatmapPlot } from './plot-heatmap.ts'
import type { ScatterPlot } from './plot-scatter.ts'
import { padEnd, padStart, widest } from './text-bars.ts'
import { cutMiddle } from './text-width.ts'

export interface TextInput {
  width: number
  text(value: DataValue | undefined): string
}

const levels = '▁▂▃▄▅▆▇█'
const shades = ['·', '░', '▒', '▓', '█']
const pointRows = 12
/** The dots of a braille cell, by column and row. */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const

/** A sparkline for each series, with its least and most behind it. */
export function textLines({ labels, series }: CartesianPlot, { width, text }: TextInput): string[] {
  const labelWidth = Math.min(widest(series.map(({ label }) => label)), Math.floor(width * 0.3))
  const ranges = series.map(({ values, exact }) => {
    const [least, most] = endsOf(values)
    return least === undefined || most === undefined
      ? ''
      : `${text(exact[least])} – ${text(exact[most])}`
  })
  const room = Math.max(6, width - labelWidth - widest(ranges) - 2)
  const lines = series.map(({ label, values }, i) => {
    const spark = padEnd(sparkline(values, Math.min(room, values.length)), room)
    return `${padEnd(cutMiddle(label, labelWidth), labelWidth)} ${spark} ${ranges[i]}`
  })
  const ends = [...new Set([labels[0] ?? '', labels.at(-1) ?? ''])].join(' – ')
  return [...lines, `${' '.repeat(labelWidth)} ${ends}`]
}

/** Points as dots of braille, several to a cell. */
export function textPoints(plot: ScatterPlot, { width, text }: TextInput): string[] {
  const points = plot.series.flatMap((one) => one.points)
  if (points.length === 0) return []
  const high = points.reduce((a, b) => (b.y > a.y ? b : a))
  const low = points.reduce((a, b) => (b.y < a.y ? b : a))
  const first = points.reduce((a, b) => (b.x < a.x ? b : a))
  const last = points.reduce((a, b) => (b.x > a.x ? b : a))
  const [top, bottom] = [text(high.exact), text(low.exact)]
  const margin = Math.min(widest([top, bottom]), Math.floor(width / 3))
  const room = Math.max(4, width - margin - 2)
  const cells = Array.from({ length: pointRows }, () => new Uint8Array(room))
  for (const { x, y } of points) {
    const column = Math.round(part(x, first.x, last.x) * (room * 2 - 1))
    const row = Math.round((1 - part(y, low.y, high.y)) * (pointRows * 4 - 1))
    cells[row >> 2]![column >> 1]! |= dots[column & 1]![row & 3]!
  }
  const lines = cells.map((line, i) => {
    const label = i === 0 ? top : i === pointRows - 1 ? bottom : ''
    const drawn = Array.from(line, (cell) =>
      cell === 0 ? ' ' : String.fromCharCode(0x2800 + cell),
    )
    return `${padStart(cutMiddle(label, margin), margin)} │${drawn.join('')}`
  })
  const across = `${first.x_text} – ${last.x_text}  ${plot.x_title}`
  return [
    ...lines,
    `${' '.repeat(margin)} └${'─'.repeat(room)}`,
    `${' '.repeat(margin + 2)}${across}`,
  ]
}

/** A shade for each cell, two wide, and what the shades mean below. */
export function textHeatmap(plot: HeatmapPlot, { width, text }: TextInput): string[] {
  const labelWidth = Math.min(widest(plot.rows), Math.floor(width * 0.35))
  const room = Math.max(1, Math.floor((width - labelWidth - 1) / 2))
  const shown = plot.columns.slice(0, room)
  const least = plot.cells.reduce((a, b) => (b.value < a.value ? b : a), plot.cells[0]!)
  const most = plot.cells.reduce((a, b) => (b.value > a.value ? b : a), plot.cells[0]!)
  const grid = plot.rows.map(() => shown.map(() => '  '))
  for (const { column, row, value } of plot.cells) {
    if (column >= shown.length) continue
    grid[row]![column] = shadeOf(part(value, least.value, most.value)).repeat(2)
  }
  const lines = plot.rows.map(
    (label, i) => `${padEnd(cutMiddle(label, labelWidth), labelWidth)} ${grid[i]!.join('')}`,
  )
  const left = ' '.repeat(labelWidth + 1)
  const across = `${shown[0] ?? ''} – ${shown.at(-1) ?? ''}`
  const more = plot.columns.length > shown.length ? `  +${plot.columns.length - shown.length}` : ''
  if (plot.cells.length === 0) return [...lines, left + across + more]
  return [
    ...lines,
    left + across + more,
    `${left}${shades[0]} ${text(least.exact)}  ${shades.at(-1)} ${text(most.exact)}`,
  ]
}

/** The values as one line of blocks; each block is the mean of those it stands for. */
function sparkline(values: readonly (number | null | undefined)[], width: number): string {
  const numbers = values.filter((value) => typeof value === 'number')
  const min = numbers.reduce((least, value) => Math.min(least, value), numbers[0] ?? 0)
  const max = numbers.reduce((most, value) => Math.max(most, value), numbers[0] ?? 0)
  return Array.from({ length: width }, (_, i) => {
    const from = Math.floor((i * values.length) / width)
    const to = Math.max(from + 1, Math.floor(((i + 1) * values.length) / width))
    const bucket = values.slice(from, to).filter((value) => typeof value === 'number')
    if (bucket.length === 0) return ' '
    const mean = bucket.reduce((sum, value) => sum + value / bucket.length, 0)
    return levels[Math.min(7, Math.floor(part(mean, min, max) * 8))]
  }).join('')
}

/** Indexes of the least and the most. */
function endsOf(values: readonly (number | null | undefined)[]): [number?, number?] {
  let least: number | undefined
  let most: number | undefined
  for (const [i, value] of values.entries()) {
    if (typeof value !== 'number') continue
    if (least === undefined || value < values[least]!) least = i
    if (most === undefined || value > values[most]!) most = i
  }
  return least === undefined || most === undefined ? [] : [least, most]
}

function shadeOf(share: number): string {
  return shades[Math.min(shades.length - 1, Math.floor(share * shades.length))]!
}

/** Where a value is between two, from 0 to 1; in the middle where they are the same. */
function part(value: number, from: number, to: number): number {
  if (!(to > from)) return 0.5
  return Math.min(1, Math.max(0, value / (to - from) - from / (to - from)))
}
