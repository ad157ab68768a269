import type { ColumnKind, DataColumn, DataRow, DataValue } from '@dataagent/schema'
import type { FieldPacket } from 'mysql2'

/** Types on the wire (MySQL, Protocol::ColumnType). */
const wire = {
  ...{ DECIMAL: 0, TINY: 1, SHORT: 2, LONG: 3, FLOAT: 4, DOUBLE: 5, NULL: 6, TIMESTAMP: 7 },
  ...{ LONGLONG: 8, INT24: 9, DATE: 10, TIME: 11, DATETIME: 12, YEAR: 13, NEWDATE: 14, BIT: 16 },
  ...{ JSON: 245, NEWDECIMAL: 246, ENUM: 247, SET: 248, TINY_BLOB: 249, BLOB: 252 },
  GEOMETRY: 255,
} as const

const binary = 63
const unsigned = 32
/** Of a character in utf8mb4, as the server counts the length of columns. */
const characterBytes = 4

interface Field extends FieldPacket {
  columnType: number
  columnLength: number
  characterSet: number
  decimals: number
  flags: number
}

export interface MysqlColumns {
  columns: DataColumn[]
  /** Puts what is told into `values` itself. */
  toRow(values: unknown[]): DataRow
}

export function toMysqlColumns(fields: readonly FieldPacket[]): MysqlColumns {
  const given = fields as readonly Field[]
  const columns = given.map((field) => ({
    name: field.name,
    type: toType(field),
    kind: kindOf(field),
  }))
  const converters = given.map(toConverter)
  return {
    columns,
    toRow(values) {
      for (let at = 0; at < converters.length; at += 1) {
        const value = values[at]
        if (value !== null) values[at] = converters[at]!(value as never)
      }
      return values as DataRow
    },
  }
}

const names: Readonly<Record<number, string>> = {
  ...{ [wire.TINY]: 'TINYINT', [wire.SHORT]: 'SMALLINT', [wire.LONG]: 'INT' },
  ...{ [wire.INT24]: 'MEDIUMINT', [wire.LONGLONG]: 'BIGINT', [wire.YEAR]: 'YEAR' },
  ...{ [wire.FLOAT]: 'FLOAT', [wire.DOUBLE]: 'DOUBLE', [wire.BIT]: 'BIT' },
  ...{ [wire.DATE]: 'DATE', [wire.NEWDATE]: 'DATE', [wire.TIME]: 'TIME' },
  ...{ [wire.DATETIME]: 'DATETIME', [wire.TIMESTAMP]: 'TIMESTAMP', [wire.JSON]: 'JSON' },
  ...{ [wire.GEOMETRY]: 'GEOMETRY', [wire.NULL]: 'NULL', [wire.ENUM]: 'ENUM' },
  [wire.SET]: 'SET',
}

function toType(field: Field): string {
  if (isDecimal(field)) return toDecimalType(field)
  const name = names[field.columnType]
  if (name !== undefined) return isUnsigned(field) ? `${name} UNSIGNED` : name
  const isBlob = field.columnType >= wire.TINY_BLOB && field.columnType <= wire.BLOB
  if (isBytes(field)) return isBlob ? 'BLOB' : `VARBINARY(${field.columnLength})`
  return isBlob ? 'TEXT' : `VARCHAR(${Math.floor(field.columnLength / characterBytes)})`
}

function isUnsigned({ columnType, flags }: Field): boolean {
  return kindOfType[columnType] === 'integer' && columnType !== wire.YEAR && (flags & unsigned) > 0
}

/** The length counts the sign and the point. */
function toDecimalType({ columnLength, decimals, flags }: Field): string {
  const signs = (flags & unsigned ? 0 : 1) + (decimals > 0 ? 1 : 0)
  return `DECIMAL(${columnLength - signs},${decimals})`
}

const kindOfType: Readonly<Record<number, ColumnKind>> = {
  ...{ [wire.TINY]: 'integer', [wire.SHORT]: 'integer', [wire.LONG]: 'integer' },
  ...{ [wire.INT24]: 'integer', [wire.LONGLONG]: 'integer', [wire.YEAR]: 'integer' },
  ...{ [wire.FLOAT]: 'float', [wire.DOUBLE]: 'float', [wire.BIT]: 'integer' },
  ...{ [wire.DATE]: 'date', [wire.NEWDATE]: 'date', [wire.TIME]: 'time' },
  ...{ [wire.DATETIME]: 'timestamp', [wire.TIMESTAMP]: 'timestamp', [wire.JSON]: 'json' },
  ...{ [wire.GEOMETRY]: 'other', [wire.NULL]: 'other', [wire.ENUM]: 'text' },
  ...{ [wire.SET]: 'text', [wire.DECIMAL]: 'decimal', [wire.NEWDECIMAL]: 'decimal' },
}

function kindOf(field: Field): ColumnKind {
  return kindOfType[field.columnType] ?? (isBytes(field) ? 'bytes' : 'text')
}

function isDecimal({ columnType }: Field): boolean {
  return columnType === wire.DECIMAL || columnType === wire.NEWDECIMAL
}

function isBytes({ characterSet }: Field): boolean {
  return characterSet === binary
}

function toConverter(field: Field): (value: never) => DataValue {
  if (field.columnType === wire.BIT) return fromBits
  const kind = kindOf(field)
  if (kind === 'timestamp') return (value: string) => value.replace(' ', 'T')
  if (kind === 'integer') return fromInteger
  return fromAny
}

function fromAny(value: unknown): DataValue {
  if (typeof value === 'string') return value
  if (Buffer.isBuffer(value)) return value.toString('hex')
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value as DataValue
}

function fromInteger(value: number | string): DataValue {
  return typeof value === 'string' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function fromBits(value: Buffer): DataValue {
  const bits = BigInt(`0x${value.toString('hex') || '0'}`)
  return Number.isSafeInteger(Number(bits)) ? Number(bits) : String(bits)
}
