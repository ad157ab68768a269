import type { ChartSpec, DataColumn, DataRow, DataValue } from '@dataagent/schema'
import { type ChartInput, indexOf } from './chart-input.ts'
import { cleanText } from './clean-text.ts'
import { createLabels, keyOf, valuesOf } from './labels.ts'
import { countText, toNumber } from './numbers.ts'
import { samplePoints } from './sample-points.ts'
import { isTime, toTime } from './times.ts'
import { wordsOf } from './words.ts'

/** Bars, lines and areas: one value for each place on the axis and each series. */
export interface CartesianPlot {
  kind: 'cartesian'
  mark: 'bar' | 'line' | 'area'
  x_title: string
  labels: string[]
  /** The places in time, in order, where the axis is one of time. */
  times: number[] | undefined
  series: PlotSeries[]
  notes: string[]
}

export interface PlotSeries {
  label: string
  /** By place: a number, null for a NULL, undefined where there is no row. */
  values: (number | null | undefined)[]
  /** As the result has them, with all digits. */
  exact: (DataValue | undefined)[]
}

const mostBars = 60
const mostCells = 1_200
const mostSeries = 20
const mostPoints = 10_000
const mostPointsOfLine = 2_000

interface Grid {
  /** The rows' values of x, one for each place. */
  places: (DataValue | undefined)[]
  series: { key: string; label: string; cells: (DataValue | undefined)[] }[]
  repeated: number
}

export function toCartesian({ spec, columns, rows, language }: ChartInput): CartesianPlot {
  const words = wordsOf(language)
  const xIndex = indexOf(columns, spec.x!)
  const xColumn = columns[xIndex]!
  const onTime = spec.type !== 'bar' && isTime(xColumn.kind)
  const placed = onTime ? rows.filter((row) => toTime(row[xIndex]) !== null) : rows
  const grid = toGrid({ spec, columns, rows: placed, xIndex, label: seriesLabels() })
  const notes: string[] = []
  const count = (value: number) => countText(value, language)
  if (placed.length < rows.length) notes.push(words.unplaced(count(rows.length - placed.length)))
  if (grid.repeated > 0) notes.push(words.repeated(count(grid.repeated)))

  const shown = largestSeries(grid.series)
  if (shown.length < grid.series.length) {
    notes.push(words.series_left_out(count(grid.series.length - shown.length)))
  }
  const order = orderPlaces({
    spec,
    places: grid.places,
    series: shown,
    time: isTime(xColumn.kind),
  })
  const limited = order.slice(0, limitOf(spec, shown.length))
  if (limited.length < order.length)
    notes.push(words.left_out(count(order.length - limited.length)))
  const kept = spec.type === 'bar' ? limited : sample(limited, shown, onTime ? grid.places : null)
  if (kept.length < limited.length)
    notes.push(words.sampled(count(kept.length), count(limited.length)))

  const labels = createLabels(xColumn, valuesOf(rows, xIndex), language)
  return {
    kind: 'cartesian',
    mark: spec.type === 'bar' ? 'bar' : spec.type === 'area' ? 'area' : 'line',
    x_title: cleanText(spec.x_title ?? spec.x!),
    labels: kept.map((place) => labels(grid.places[place])),
    times: onTime ? kept.map((place) => toTime(grid.places[place])!) : undefined,
    series: shown.map(({ label, cells }) =>
      toSeries(
        label,
        kept.map((place) => cells[place]),
      ),
    ),
    notes,
  }

  function seriesLabels() {
    if (spec.series === undefined) return undefined
    const index = indexOf(columns, spec.series)
    return createLabels(columns[index]!, valuesOf(rows, index), language)
  }
}

interface GridInput {
  spec: ChartSpec
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  xIndex: number
  /** Of the values of the column that splits the measure; undefined where none does. */
  label: ((value: DataValue | undefined) => string) | undefined
}

function toGrid({ spec, columns, rows, xIndex, label }: GridInput): Grid {
  if (label === undefined) {
    const series = spec.y.map((name, i) => {
      const cells = valuesOf(rows, indexOf(columns, name))
      return { key: name, label: cleanText((i === 0 ? spec.y_title : undefined) ?? name), cells }
    })
    if (series.length > 1) series[0]!.label = cleanText(spec.y[0]!)
    return { places: valuesOf(rows, xIndex), series, repeated: 0 }
  }
  const splitIndex = indexOf(columns, spec.series!)
  const yIndex = indexOf(columns, spec.y[0]!)
  const places = new Map<string, { at: number; value: DataValue }>()
  const series = new Map<string, Grid['series'][number]>()
  let repeated = 0
  for (const row of rows) {
    const x = row[xIndex] ?? null
    const place = places.get(keyOf(x)) ?? { at: places.size, value: x }
    places.set(keyOf(x), place)
    const key = keyOf(row[splitIndex])
    const own = series.get(key) ?? { key, label: label(row[splitIndex]), cells: [] }
    series.set(key, own)
    if (own.cells[place.at] !== undefined) repeated += 1
    else own.cells[place.at] = row[yIndex] ?? null
  }
  return {
    places: [...places.values()].map(({ value }) => value),
    series: [...series.values()],
    repeated,
  }
}

/** As many series as eyes and colours tell apart, the largest, in the order given. */
function largestSeries(series: Grid['series']): Grid['series'] {
  if (series.length <= mostSeries) return series
  const sizes = series.map((one, i) => ({ i, size: sizeOf(one.cells) }))
  const largest = sizes.sort((a, b) => b.size - a.size).slice(0, mostSeries)
  const kept = new Set(largest.map(({ i }) => i))
  return series.filter((_, i) => kept.has(i))
}

function sizeOf(cells: readonly (DataValue | undefined)[]): number {
  let sum = 0
  // Passes over the holes, which a sparse series may have by the thousand.
  cells.forEach((cell) => {
    sum += Math.abs(toNumber(cell) ?? 0)
  })
  return sum
}

interface OrderInput {
  spec: ChartSpec
  places: Grid['places']
  series: Grid['series']
  time: boolean
}

/** Time goes on; categories are as given, or by what is measured, all series together. */
function orderPlaces({ spec, places, series, time }: OrderInput): number[] {
  const order = places.map((_, i) => i)
  const sorted = spec.sort === 'ascending' || spec.sort === 'descending'
  if (time && (spec.type !== 'bar' || spec.sort === undefined)) {
    const times = places.map((place) => toTime(place) ?? Number.MAX_SAFE_INTEGER)
    return order.sort((a, b) => times[a]! - times[b]!)
  }
  if (!sorted) return order
  const sums = places.map((_, i) =>
    series.reduce((sum, { cells }) => sum + (toNumber(cells[i]) ?? 0), 0),
  )
  const sign = spec.sort === 'ascending' ? 1 : -1
  return order.sort((a, b) => sign * (sums[a]! - sums[b]!))
}

function limitOf({ type, limit }: ChartSpec, series: number): number {
  if (type !== 'bar') return limit ?? Number.POSITIVE_INFINITY
  return Math.max(1, limit ?? Math.min(mostBars, Math.floor(mostCells / series)))
}

/** Of a long line the places that keep the shape of every series. */
function sample(
  order: readonly number[],
  series: Grid['series'],
  times: Grid['places'] | null,
): readonly number[] {
  const each = Math.min(mostPointsOfLine, Math.floor(mostPoints / Math.max(1, series.length)))
  if (order.length <= each) return order
  const xs = order.map((place, i) => (times === null ? i : toTime(times[place])!))
  const kept = new Set<number>()
  const one = Math.max(3, Math.floor(each / Math.max(1, series.length)))
  for (const { cells } of series) {
    const ys = order.map((place) => toNumber(cells[place]))
    for (const i of samplePoints(xs, ys, one)) kept.add(i)
    for (const i of gapsBetween(ys, one)) kept.add(i)
  }
  return order.filter((_, i) => kept.has(i))
}

/** Places of the first NULLs after a value, so that a sampled line keeps its gaps. */
function gapsBetween(ys: readonly (number | null)[], most: number): number[] {
  const gaps: number[] = []
  for (let i = 1; i < ys.length && gaps.length < most; i++) {
    if (ys[i] === null && ys[i - 1] !== null) gaps.push(i)
  }
  return gaps
}

function toSeries(label: string, exact: (DataValue | undefined)[]): PlotSeries {
  const values = exact.map((cell) => (cell === undefined ? undefined : toNumber(cell)))
  return { label, values, exact }
}
