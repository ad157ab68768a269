import type { DataRow, DataValue } from '@dataagent/schema'
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  type DuckDBDataChunk,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import { toDecimalText, toMomentText } from './texts.ts'

type Present = Exclude<DuckDBValue, null>

/** Reads the rows of a chunk, by columns: that is how it lies in memory. */
export function createRowReader(result: DuckDBResult): (chunk: DuckDBDataChunk) => DataRow[] {
  const converters = result
    .columnTypes()
    .map(({ typeId }) => (converterOf[typeId] ?? toValue) as (value: Present) => DataValue)
  return (chunk) => {
    const rows: DataRow[] = Array.from({ length: chunk.rowCount }, () => [])
    for (const [at, convert] of converters.entries()) {
      const vector = chunk.getColumnVector(at)
      for (let row = 0; row < rows.length; row += 1) {
        const value = vector.getItem(row)
        rows[row]!.push(value === null ? null : convert(value))
      }
    }
    return rows
  }
}

/** For the types of which there are many values; the others are told by the value itself. */
const converterOf: Partial<Record<DuckDBTypeId, (value: never) => DataValue>> = {
  [DuckDBTypeId.VARCHAR]: (value: string) => value,
  [DuckDBTypeId.INTEGER]: (value: number) => value,
  [DuckDBTypeId.BIGINT]: fromBigInt,
  [DuckDBTypeId.DOUBLE]: toNumber,
  [DuckDBTypeId.DECIMAL]: fromDecimal,
  [DuckDBTypeId.TIMESTAMP]: fromTimestamp,
  [DuckDBTypeId.TIMESTAMP_TZ]: fromMoment,
}

function toValue(value: DuckDBValue): DataValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return toNumber(value)
  if (typeof value === 'bigint') return fromBigInt(value)
  const plain = toPlain(value)
  return typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : (plain as DataValue)
}

/** JSON that keeps every digit. */
function toPlain(value: DuckDBValue): unknown {
  if (typeof value === 'bigint') return fromBigInt(value)
  if (typeof value === 'number') return toNumber(value)
  if (value === null || typeof value !== 'object') return value
  if (value instanceof DuckDBDecimalValue) return fromDecimal(value)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return value.items.map(toPlain)
  }
  if (value instanceof DuckDBStructValue) return toObject(Object.entries(value.entries))
  if (value instanceof DuckDBMapValue) {
    return toObject(value.entries.map(({ key, value: inner }) => [String(toPlain(key)), inner]))
  }
  if (value instanceof DuckDBUnionValue) return toPlain(value.value)
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex')
  return toText(value)
}

function toObject(entries: [string, DuckDBValue][]): Record<string, unknown> {
  return Object.fromEntries(entries.map(([key, inner]) => [key, toPlain(inner)]))
}

function toText(value: object): string {
  if (value instanceof DuckDBTimestampTZValue) return fromMoment(value)
  if (value instanceof DuckDBTimestampValue) return fromTimestamp(value)
  return isOtherTimestamp(value) ? toIso(value) : String(value)
}

function isOtherTimestamp(value: object): boolean {
  return (
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  )
}

function fromMoment(value: DuckDBTimestampTZValue): string {
  if (!value.isFinite) return String(value)
  return `${fromTimestamp(new DuckDBTimestampValue(value.micros))}Z`
}

function fromTimestamp(value: DuckDBTimestampValue): string {
  return toMomentText(value.micros) ?? toIso(value)
}

function toIso(value: object): string {
  return String(value).replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T')
}

function fromDecimal({ value, scale }: DuckDBDecimalValue): string {
  return toDecimalText(value, scale)
}

function toNumber(value: number): DataValue {
  return Number.isFinite(value) ? value : String(value)
}

function fromBigInt(value: bigint): DataValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
