/** A value of a table as it is compared. */
export type Cell =
  | { kind: 'null' }
  | { kind: 'number'; value: number; text: string; isWhole: boolean }
  | { kind: 'text'; text: string }

/** No leading zeros: those are of a code, not of a number. */
const decimal = /^[+-]?(?:0|[1-9]\d{0,400})?(?:\.\d{1,400})?(?:e[+-]?\d{1,3})?$/i
const whole = /^[+-]?\d+$/
const tolerance = 1e-6

/** Drivers differ in what a DECIMAL, a boolean or a date becomes: the cell does not. */
export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return { kind: 'null' }
  if (typeof value === 'boolean') return toNumberCell(value ? '1' : '0')
  if (typeof value === 'number' || typeof value === 'bigint') return toNumberCell(String(value))
  if (value instanceof Date) return { kind: 'text', text: toDateText(toIso(value)) }
  if (typeof value !== 'string') return { kind: 'text', text: JSON.stringify(value) ?? '' }
  const text = value.normalize('NFC').trimEnd()
  if (/\d/.test(text) && decimal.test(text)) return toNumberCell(text)
  return { kind: 'text', text: toDateText(text) }
}

/**
 * Whole numbers are compared exactly, for they may be keys; others within a millionth, for the
 * order in which a database adds is its own.
 */
export function isSameCell(a: Cell, b: Cell): boolean {
  if (a.kind === 'number' && b.kind === 'number') {
    if (a.isWhole && b.isWhole) return a.text === b.text
    const greater = Math.max(Math.abs(a.value), Math.abs(b.value))
    return Object.is(a.value, b.value) || Math.abs(a.value - b.value) <= greater * tolerance
  }
  if (a.kind === 'null' || b.kind === 'null') return a.kind === b.kind
  return a.kind === b.kind && a.text === b.text
}

/** An order in which cells that are the same stand side by side. */
export function compareCells(a: Cell, b: Cell): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1
  if (a.kind === 'number' && b.kind === 'number') {
    if (isSameCell(a, b)) return 0
    return rounded(a.value) - rounded(b.value) || a.value - b.value || compareText(a, b)
  }
  return a.kind === 'text' && b.kind === 'text' ? compareText(a, b) : 0
}

function compareText(a: { text: string }, b: { text: string }): number {
  if (a.text === b.text) return 0
  return a.text < b.text ? -1 : 1
}

function rounded(value: number): number {
  return Number(value.toPrecision(6))
}

function toNumberCell(text: string): Cell {
  const value = Number(text)
  // Beyond 2^53 the text alone is exact.
  if (whole.test(text))
    return { kind: 'number', value, text: String(BigInt(text.replace(/^\+/, ''))), isWhole: true }
  const isWhole = Number.isSafeInteger(value)
  return { kind: 'number', value, text: String(isWhole ? value + 0 : value), isWhole }
}

function toIso(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

const moment = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|\+00(?::?00)?)?$/

/** `2026-01-31 08:00:00`, however the T, the zone UTC and a fraction of zeros are written. */
function toDateText(text: string): string {
  const found = moment.exec(text)
  if (!found) return text
  const [, day = '', time = '', fraction = ''] = found
  const rest = fraction.replace(/0+$/, '')
  return time === '00:00:00' && rest === '' ? day : `${day} ${time}${rest && `.${rest}`}`
}
