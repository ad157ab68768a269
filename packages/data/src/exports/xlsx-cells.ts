import type { ColumnKind, DataColumn, DataValue } from '@dataagent/schema'
import { isNumeric } from '../charts/index.ts'
import { escapeXml } from './escape-xml.ts'

/** The looks of cells, by their place in `cellXfs` of the styles. */
export const cellStyles = {
  ...{ plain: 0, heading: 1, date: 2, timestamp: 3, timestamp_ms: 4 },
  ...{ utc: 5, utc_ms: 6, time: 7, time_ms: 8, text: 9 },
} as const

type Style = keyof typeof cellStyles

/** The most characters that a cell holds, in Excel. */
const mostCharacters = 32_767
/** The digits that Excel keeps. */
const mostDigits = 15
const dayMs = 86_400_000
/** Excel counts days from the last of 1899, and believes that there was a 29 February 1900. */
const epoch = Date.UTC(1899, 11, 30)
const firstSoundDay = Date.UTC(1900, 2, 1)
const lastDay = Date.UTC(9999, 11, 31)

const numberText = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const moment =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})0*)?(Z|\+00(?::?00)?)?)?$/
const clock = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})0*)?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, ECMA-376 has a form
const unprintable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

export interface CellWriter {
  /** A value as a cell at `reference`; nothing for NULL. */
  write(value: DataValue | undefined, reference: string): string
}

/**
 * Writes the values of a column with their type: numbers that Excel would round and dates that it
 * does not know are text. `onCut` hears of texts that are longer than a cell.
 */
export function createCellWriter({ kind }: DataColumn, onCut: () => void): CellWriter {
  return {
    write(value, reference) {
      if (value === null || value === undefined) return ''
      if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`
      const number = toCellNumber(value, kind)
      if (number !== undefined) return numberCell(reference, number.text, number.style)
      const text = String(value)
      if (text.length > mostCharacters) onCut()
      return textCell(reference, text, isNumeric(kind) ? 'text' : 'plain')
    },
  }
}

export function textCell(reference: string, text: string, style: Style): string {
  const kept = text.length > mostCharacters ? text.slice(0, mostCharacters) : text
  const body = escapeXml(kept.toWellFormed().replace(unprintable, toEscape))
  return `<c r="${reference}"${styleOf(style)} t="inlineStr"><is><t xml:space="preserve">${body}</t></is></c>`
}

function numberCell(reference: string, text: string, style: Style): string {
  return `<c r="${reference}"${styleOf(style)}><v>${text}</v></c>`
}

function styleOf(style: Style): string {
  return style === 'plain' ? '' : ` s="${cellStyles[style]}"`
}

function toCellNumber(
  value: string | number,
  kind: ColumnKind,
): { text: string; style: Style } | undefined {
  if (isNumeric(kind))
    return isExact(value, kind) ? { text: `${value}`, style: 'plain' } : undefined
  if (typeof value === 'number') {
    return Number.isFinite(value) ? { text: `${value}`, style: 'plain' } : undefined
  }
  if (kind === 'date' || kind === 'timestamp') return toMoment(value)
  return kind === 'time' ? toClock(value) : undefined
}

/** A float is what it is; of an integer or decimal no digit may go. */
function isExact(value: string | number, kind: ColumnKind): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) return false
  const text = String(value)
  if (text.length > 400 || !numberText.test(text)) return false
  if (!Number.isFinite(Number(text))) return false
  if (kind === 'float') return true
  const digits = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '')
  const whole = text.includes('.') ? digits : digits.replace(/0+$/, '')
  return whole.length <= mostDigits && text.length <= 40
}

function toMoment(value: string): { text: string; style: Style } | undefined {
  const found = moment.exec(value)
  if (found === null) return undefined
  const [, year, month, day, hour, minute = '0', second = '0', part = '', zone] = found
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (!(date >= firstSoundDay && date <= lastDay)) return undefined
  if (new Date(date).getUTCDate() !== Number(day)) return undefined
  const days = (date - epoch) / dayMs
  if (hour === undefined) return { text: `${days}`, style: 'date' }
  const ms = clockMs(hour, minute, second, part)
  const style = zone === undefined ? 'timestamp' : 'utc'
  return { text: `${days + ms / dayMs}`, style: Number(part) > 0 ? `${style}_ms` : style }
}

function toClock(value: string): { text: string; style: Style } | undefined {
  const found = clock.exec(value)
  if (found === null) return undefined
  const [, hour, minute, second, part = ''] = found
  const ms = clockMs(hour!, minute!, second!, part)
  return { text: `${ms / dayMs}`, style: Number(part) > 0 ? 'time_ms' : 'time' }
}

function clockMs(hour: string, minute: string, second: string, part: string): number {
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second)
  return seconds * 1_000 + Number(part.padEnd(3, '0'))
}

/** ECMA-376 Part 1, 22.9.2.19: `_x000D_`; an underscore that would begin such a form is one too. */
function toEscape(char: string): string {
  return `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}
