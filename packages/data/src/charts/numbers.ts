import type { ColumnKind, DataValue, NumberFormat } from '@dataagent/schema'
import { type ChartLanguage, wordsOf } from './words.ts'

const digits = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Beyond it sums of a stack leave what a double can hold. */
const largest = 1e200
/** Below it ECharts finds no ticks. */
const smallest = 1e-12

/** Whether the values of a column can be measured. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'float'
}

/** A value as a place on an axis; null where it is none. Digits beyond a double are not drawn. */
export function toNumber(value: DataValue | undefined): number | null {
  if (typeof value === 'number') return toDrawable(value)
  if (typeof value !== 'string' || value.length > 400 || !digits.test(value)) return null
  return toDrawable(Number(value))
}

/**
 * Writes numbers as `format` says. A decimal that came as digits keeps them all, unless the format
 * rounds. A percentage is of a share: 0.12 is 12 %.
 */
export function createNumberText(
  format: NumberFormat | undefined,
  language: ChartLanguage,
): (value: DataValue | undefined) => string {
  const { locale, null_label } = wordsOf(language)
  const formatter = createFormatter(locale, format)
  return (value) => {
    if (value === null || value === undefined) return null_label
    if (toNumber(value) === null) return String(value)
    return formatter(value as number | string)
  }
}

/** Short numbers for the ticks of an axis that reaches to `most`. */
export function createTickText(
  format: NumberFormat | undefined,
  language: ChartLanguage,
  most: number,
): (value: number) => string {
  const { locale } = wordsOf(language)
  const style = format?.style ?? 'plain'
  const short = style === 'compact' || (style !== 'percent' && most >= 100_000)
  const options: Intl.NumberFormatOptions = {
    ...styleOptions(format),
    ...(short ? { notation: 'compact' } : {}),
    ...(most < 0.001 && most > 0 && style !== 'percent'
      ? { maximumSignificantDigits: 4 }
      : { minimumFractionDigits: 0, maximumFractionDigits: most < 1 ? 4 : 2 }),
  }
  const formatter = new Intl.NumberFormat(locale, options)
  return (value) => formatter.format(value)
}

/** A whole number as people read it. */
export function countText(count: number, language: ChartLanguage): string {
  return new Intl.NumberFormat(wordsOf(language).locale).format(count)
}

function toDrawable(value: number): number | null {
  const size = Math.abs(value)
  if (size < smallest) return 0
  return size <= largest ? value : null
}

function createFormatter(
  locale: string,
  format: NumberFormat | undefined,
): (value: number | string) => string {
  const style = styleOptions(format)
  const rounding = roundingOf(format)
  if (rounding !== undefined) {
    const formatter = new Intl.NumberFormat(locale, { ...style, ...rounding })
    return (value) => formatter.format(value as number)
  }
  const byDecimals = new Map<number, Intl.NumberFormat>()
  const tiny = new Intl.NumberFormat(locale, { ...style, maximumSignificantDigits: 6 })
  return (value) => {
    if (isTiny(value)) return tiny.format(value as number)
    const decimals = typeof value === 'string' ? decimalsOf(value) : -1
    let formatter = byDecimals.get(decimals)
    if (formatter === undefined) {
      const range =
        decimals < 0
          ? { maximumFractionDigits: 6 }
          : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
      formatter = new Intl.NumberFormat(locale, { ...style, ...range })
      byDecimals.set(decimals, formatter)
    }
    // A string of digits is formatted as it is, without becoming a double on the way.
    return formatter.format(value as number)
  }
}

function styleOptions(format: NumberFormat | undefined): Intl.NumberFormatOptions {
  if (format?.style === 'percent') return { style: 'percent' }
  if (format?.style === 'compact') return { notation: 'compact' }
  if (format?.style === 'currency' && format.currency !== undefined) {
    return { style: 'currency', currency: format.currency, currencyDisplay: 'narrowSymbol' }
  }
  return {}
}

/** How many decimals are shown; undefined where the value itself says it. */
function roundingOf(format: NumberFormat | undefined): Intl.NumberFormatOptions | undefined {
  if (format === undefined) return undefined
  if (format.decimals !== undefined) {
    return { minimumFractionDigits: format.decimals, maximumFractionDigits: format.decimals }
  }
  if (format.style === 'percent' || format.style === 'compact') {
    return { minimumFractionDigits: 0, maximumFractionDigits: 1 }
  }
  return format.style === 'currency' ? {} : undefined
}

function isTiny(value: number | string): boolean {
  return typeof value === 'number' && value !== 0 && Math.abs(value) < 0.001
}

function decimalsOf(value: string): number {
  const point = value.indexOf('.')
  return point < 0 || /e/i.test(value)
    ? point < 0
      ? 0
      : -1
    : Math.min(20, value.length - point - 1)
}
