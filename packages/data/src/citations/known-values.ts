import type { DataColumn, DataRow } from '@dataagent/schema'
import { isNumeric } from '../charts/index.ts'
import type { Reading, WrittenNumber } from './find-numbers.ts'

export interface CitedQuery {
  ref: string
  query_id: string
  /** A reply may repeat what it compares with. */
  sql?: string
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  /** Of the whole result, where `rows` is its beginning. */
  row_count?: number | null
}

export interface KnownValues {
  /** Whether a written number is one of the values, or as near as it was written. */
  has(number: WrittenNumber): boolean
}

interface Sorted {
  positive: Float64Array
  negative: Float64Array
}

const digits = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const inText = /\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?/g
const longestCell = 300
const shareName =
  /%|pct|percent|share|rate|ratio|growth|margin|change|率|占比|比例|比重|百分|增长|增幅|同比|环比|涨|跌/i

/**
 * The values of results: numbers in their cells, numbers inside their texts and names (a product
 * may be called "Model 300"), and how many rows they have. Nothing is computed from them: a sum
 * that no query has made is not known.
 */
export function createKnownValues(queries: readonly CitedQuery[]): KnownValues {
  const all: number[] = []
  /** What a double cannot hold. */
  const long: string[] = []
  let exact: Set<string> | undefined
  const chosen = new Map<Reading['only'], Sorted>()
  const byColumn: { name: string; numeric: boolean; values: number[] }[] = []
  for (const { columns, rows, row_count } of queries) {
    all.push(rows.length, ...(row_count == null ? [] : [row_count]))
    for (const [i, { name, kind }] of columns.entries()) {
      const values: number[] = []
      for (const row of rows) collect(row[i], isNumeric(kind), values)
      for (const value of values) all.push(value)
      byColumn.push({ name, numeric: isNumeric(kind), values })
      collect(name, false, all)
    }
  }
  const sorted = toSorted(all)
  return {
    has({ readings, negative, digits: written }) {
      if (written !== undefined) {
        exact ??= new Set(long.flatMap(roundings))
        return exact.has(toExact(written))
      }
      return readings.some((reading) => isAmong(setFor(reading), reading, negative))
    },
  }

  function collect(value: DataRow[number] | undefined, numeric: boolean, into: number[]) {
    if (typeof value === 'number') {
      into.push(value)
      if (Math.abs(value) >= 1e15) long.push(String(value))
    } else if (typeof value === 'string' && value.length <= 400 && digits.test(value)) {
      into.push(Number(value))
      if (value.length > 15) long.push(value)
    } else if (typeof value === 'string' && !numeric) collectText(value.slice(0, longestCell), into)
  }

  function setFor({ only }: Reading): Sorted {
    if (only === undefined) return sorted
    const found = chosen.get(only) ?? toSorted(columnsFor(only).flatMap(({ values }) => values))
    chosen.set(only, found)
    return found
  }

  function columnsFor(only: NonNullable<Reading['only']>) {
    if (only === 'cells') return byColumn.filter(({ numeric }) => numeric)
    if (only !== 'shares') return byColumn.filter(({ name }) => only.test(name))
    return byColumn.filter(({ name, values }) => holdsPercentages(name, values))
  }
}

/**
 * Where some are beyond what a share of one can be: by its name, or because its numbers are no
 * whole ones and no more than a hundred.
 */
function holdsPercentages(name: string, values: readonly number[]): boolean {
  if (!values.some((value) => Math.abs(value) > 2)) return false
  if (shareName.test(name)) return true
  return (
    values.every((value) => Math.abs(value) <= 100) &&
    values.some((value) => !Number.isInteger(value))
  )
}

function collectText(text: string, into: number[]) {
  for (const [found] of text.matchAll(inText)) into.push(Number(found.replaceAll(',', '')))
}

/** The digits without sign and without zeros that say nothing. */
function toExact(text: string): string {
  const bare = text.replace(/^[+-]/, '')
  return bare.includes('.') ? bare.replace(/0+$/, '').replace(/\.$/, '') : bare
}

/** A value of many digits, also rounded to each smaller number of decimals. */
function roundings(text: string): string[] {
  const bare = toExact(text)
  if (/e/i.test(bare)) return [bare]
  const [whole = '', part = ''] = bare.split('.')
  const scaled = BigInt(whole + part)
  return Array.from({ length: part.length + 1 }, (_, cut) => {
    const unit = 10n ** BigInt(cut)
    const rounded = String((scaled + unit / 2n) / unit)
    const decimals = part.length - cut
    if (decimals === 0) return rounded
    const padded = rounded.padStart(decimals + 1, '0')
    return toExact(`${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`)
  })
}

function toSorted(values: readonly number[]): Sorted {
  const finite = values.filter(Number.isFinite)
  return {
    positive: Float64Array.from(finite.filter((value) => value >= 0)).sort(),
    negative: Float64Array.from(finite.filter((value) => value < 0).map(Math.abs)).sort(),
  }
}

function isAmong({ positive, negative }: Sorted, { low, high }: Reading, below: boolean): boolean {
  return contains(negative, low, high) || (!below && contains(positive, low, high))
}

/** By halves: whether a sorted list has something from `low` to `high`. */
function contains(sorted: Float64Array, low: number, high: number): boolean {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < low) from = middle + 1
    else to = middle
  }
  return from < sorted.length && sorted[from]! <= high
}
