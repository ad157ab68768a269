import type { ChartSpec, DataColumn, DataRow, DataValue } from '@dataagent/schema'
import { isNumeric, toNumber } from './numbers.ts'
import { textWidth } from './text-width.ts'
import { isTime, isTimeLike } from './times.ts'

interface Field {
  name: string
  role: 'time' | 'category' | 'measure' | 'none'
  /** How many different values it has, up to one more than a chart could show. */
  distinct: number
  largest: number
  widest: number
}

const looked = 5_000
const manyCategories = 30
const fewSeries = 6
const heatmapSide = 40

const keyName = /(?:^|_)(?:id|uuid|key|code|no)$|编号|号码|代码/i
const calendarName =
  /(?:^|_)(?:year|month|quarter|week|day|hour|dow)(?:_|$)|年|月|季度|周|星期|小时/i

/**
 * The chart that shows a result best, or undefined where a table does: time as lines, a few
 * categories as bars, one value as a number, two measures as points.
 */
export function suggestChart(
  columns: readonly DataColumn[],
  rows: readonly DataRow[],
): ChartSpec | undefined {
  if (rows.length === 0 || new Set(columns.map(({ name }) => name)).size < columns.length) {
    return undefined
  }
  const seen = rows.slice(0, looked)
  const fields = columns.map((column, i) => toField(column, i, seen))
  const measures = fields.filter(({ role }) => role === 'measure')
  const first = measures[0]
  if (first === undefined) return undefined
  if (rows.length === 1) {
    return measures.length === 1 ? { type: 'number', y: [first.name] } : undefined
  }
  const time = fields.find(({ role, distinct }) => role === 'time' && distinct > 1)
  const categories = fields.filter(({ role, distinct }) => role === 'category' && distinct > 1)
  const found = { measures, categories, rows: seen.length }
  if (time !== undefined) return overTime({ ...found, time })
  return (categories.length > 0 ? overCategories(found) : undefined) ?? overMeasures(found)
}

interface Found {
  measures: readonly Field[]
  categories: readonly Field[]
  rows: number
}

function overTime(found: Found & { time: Field }): ChartSpec | undefined {
  const { time, measures, categories, rows } = found
  if (rows <= time.distinct) return { type: 'line', x: time.name, y: comparable(measures) }
  const split = categories.find(({ distinct }) => distinct <= 12)
  if (split === undefined || rows > time.distinct * split.distinct) return undefined
  return { type: 'line', x: time.name, y: [measures[0]!.name], series: split.name }
}

function overCategories({ categories, measures, rows }: Found): ChartSpec | undefined {
  const whole = categories.find(({ distinct }) => distinct >= rows)
  const y = comparable(measures)
  if (whole !== undefined) {
    if (rows > manyCategories) return undefined
    const horizontal = rows > 8 || whole.widest > 12
    return {
      ...{ type: 'bar', x: whole.name, y },
      ...(y.length === 1 ? { sort: 'descending' as const } : {}),
      ...(horizontal ? { horizontal } : {}),
    }
  }
  const [a, b] = [...categories].sort((one, other) => other.distinct - one.distinct)
  if (a === undefined || b === undefined || rows > a.distinct * b.distinct) return undefined
  const shape = { x: a.name, y: [measures[0]!.name], series: b.name }
  if (a.distinct <= manyCategories && b.distinct <= fewSeries) return { type: 'bar', ...shape }
  return a.distinct <= heatmapSide && b.distinct <= heatmapSide
    ? { type: 'heatmap', ...shape }
    : undefined
}

function overMeasures({ measures, categories, rows }: Found): ChartSpec | undefined {
  const [x, y, third] = measures
  if (x === undefined || y === undefined || third !== undefined || rows < 3) return undefined
  const [split, ...more] = categories
  if (split === undefined) return { type: 'scatter', x: x.name, y: [y.name] }
  if (split.distinct > fewSeries || split.distinct * 3 > rows || more.length > 0) return undefined
  return { type: 'scatter', x: x.name, y: [y.name], series: split.name }
}

/** The measures that one axis can hold: those near the first in size. */
function comparable(measures: readonly Field[]): string[] {
  const [first, ...rest] = measures
  const near = rest.filter(({ largest }) => {
    const ratio = largest / first!.largest
    return ratio > 0.05 && ratio < 20
  })
  return [first!, ...near].slice(0, 4).map(({ name }) => name)
}

function toField({ name, kind }: DataColumn, index: number, rows: readonly DataRow[]): Field {
  const values = rows.map((row) => row[index] ?? null).filter((value) => value !== null)
  const distinct = new Set<DataValue>(values).size
  const largest = values.reduce<number>((most, value) => {
    return Math.max(most, Math.abs(toNumber(value) ?? 0))
  }, 0)
  const widest = Math.max(0, ...values.slice(0, 100).map((value) => textWidth(String(value))))
  return { name, role: roleOf(), distinct, largest, widest }

  function roleOf(): Field['role'] {
    if (values.length === 0) return 'none'
    if (isTime(kind)) return 'time'
    if (isNumeric(kind)) {
      if (keyName.test(name)) return 'none'
      const calendar = calendarName.test(name) && values.every(isSmallWhole)
      if (calendar) return 'time'
      return 'measure'
    }
    if (kind === 'text' && values.every((value) => isTimeLike(String(value)))) return 'time'
    return kind === 'text' || kind === 'boolean' ? 'category' : 'none'
  }
}

function isSmallWhole(value: DataValue): boolean {
  const number = toNumber(value)
  return number !== null && Number.isInteger(number) && number >= 0 && number < 10_000
}
