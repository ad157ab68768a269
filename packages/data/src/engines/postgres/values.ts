import type { ColumnKind, DataRow, DataValue } from '@dataagent/schema'

/** Types by their number in the catalogue (pg_type.dat), which never changes. */
const known: Readonly<Record<number, readonly [name: string, kind: ColumnKind]>> = {
  ...{ 16: ['boolean', 'boolean'], 17: ['bytea', 'bytes'], 18: ['"char"', 'text'] },
  ...{ 19: ['name', 'text'], 20: ['bigint', 'integer'], 21: ['smallint', 'integer'] },
  ...{ 23: ['integer', 'integer'], 25: ['text', 'text'], 26: ['oid', 'integer'] },
  ...{ 114: ['json', 'json'], 3802: ['jsonb', 'json'], 700: ['real', 'float'] },
  ...{ 701: ['double precision', 'float'], 790: ['money', 'other'], 2950: ['uuid', 'text'] },
  ...{ 1042: ['character', 'text'], 1043: ['character varying', 'text'], 1082: ['date', 'date'] },
  ...{ 1083: ['time', 'time'], 1266: ['time with time zone', 'time'] },
  ...{ 1114: ['timestamp', 'timestamp'], 1184: ['timestamp with time zone', 'timestamp'] },
  ...{ 1186: ['interval', 'other'], 1700: ['numeric', 'decimal'], 705: ['unknown', 'text'] },
  ...{ 869: ['inet', 'text'], 142: ['xml', 'text'], 2249: ['record', 'other'] },
}

const modifierBytes = 4

/** As PostgreSQL writes it: `numeric(12,2)`; undefined where only the catalogue knows. */
export function toTypeName(oid: number, modifier: number): string | undefined {
  const [name] = known[oid] ?? []
  if (name === undefined || modifier < modifierBytes) return name
  const bits = modifier - modifierBytes
  if (oid === 1700) return `numeric(${bits >> 16},${bits & 0x7ff})`
  return oid === 1042 || oid === 1043 ? `${name}(${bits})` : name
}

export function toKind(oid: number): ColumnKind {
  return known[oid]?.[1] ?? 'other'
}

/** Puts values as the server writes them into the row itself; arrays and the like stay so. */
export function createConversion(oids: readonly number[]) {
  const converters = oids.map(toConverter)
  return (row: (DataValue | null)[]): DataRow => {
    for (let at = 0; at < converters.length; at += 1) {
      const convert = converters[at]
      if (convert !== undefined && row[at] !== null) row[at] = convert(row[at] as string)
    }
    return row
  }
}

function toConverter(oid: number): ((text: string) => DataValue) | undefined {
  const kind = toKind(oid)
  if (kind === 'boolean') return (text) => text === 't'
  if (kind === 'integer' || kind === 'float') return (text) => toNumber(text, kind)
  if (kind === 'bytes') return (text) => (text.startsWith('\\x') ? text.slice(2) : text)
  if (oid === 1184) return toUtc
  return kind === 'timestamp' ? (text) => text.replace(' ', 'T') : undefined
}

function toNumber(text: string, kind: ColumnKind): DataValue {
  const number = Number(text)
  if (kind === 'integer') return Number.isSafeInteger(number) ? number : text
  return Number.isFinite(number) ? number : text
}

const withZone =
  /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/

/** A moment in UTC with all its digits. What is not of the years 1 to 9999 stays as it is. */
function toUtc(text: string): string {
  const found = withZone.exec(text)
  if (found === null) return text.replace(' ', 'T')
  const [, year, month, day, hour, minute, second, fraction = '', sign] = found
  const offset = Number(found[9]) * 3_600 + Number(found[10] ?? 0) * 60 + Number(found[11] ?? 0)
  const local = new Date(0)
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  local.setUTCHours(Number(hour), Number(minute), Number(second))
  const moment = new Date(local.getTime() - (sign === '-' ? -offset : offset) * 1_000)
  return `${moment.toISOString().slice(0, 19)}${fraction}Z`
}
