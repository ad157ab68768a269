import type { ColumnKind } from '@dataagent/schema'

/**
 * Orders values of a column; nothing comes last. Numbers that came as digits are compared by their
 * digits: as doubles some of them would be the same.
 */
export function compareValues(kind: ColumnKind, a: unknown, b: unknown): number {
  const [noA, noB] = [a === null || a === undefined, b === null || b === undefined]
  if (noA || noB) return Number(noA) - Number(noB)
  if (kind === 'integer' || kind === 'decimal' || kind === 'float') return compareNumbers(a, b)
  if (kind === 'text') return String(a).localeCompare(String(b))
  const [first, second] = [String(a), String(b)]
  return first < second ? -1 : Number(first > second)
}

function compareNumbers(a: unknown, b: unknown): number {
  const [first, second] = [toDigits(a), toDigits(b)]
  if (!first || !second) return compareDoubles(Number(a), Number(b))
  if (first.sign !== second.sign) return first.sign - second.sign
  const size =
    first.whole.length - second.whole.length ||
    compareTexts(first.whole, second.whole) ||
    compareTexts(first.part, second.part)
  return size * first.sign
}

/** What is no number stands behind the others. */
function compareDoubles(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : Number(a > b)
}

/** Trailing zeros of a fraction change nothing: a shorter text is the smaller one. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function toDigits(value: unknown) {
  const found = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(String(value))
  if (!found) return undefined
  const [, sign, digits = '', fraction = ''] = found
  const whole = digits.replace(/^0+(?=\d)/, '')
  const part = withoutZeros(fraction)
  const isZero = /^0*$/.test(whole) && part === ''
  return { sign: isZero ? 0 : sign === '-' ? -1 : 1, whole, part }
}

/** By hand: a pattern for the end of a text is tried from each of its characters. */
function withoutZeros(fraction: string): string {
  let end = fraction.length
  while (fraction[end - 1] === '0') end -= 1
  return fraction.slice(0, end)
}
