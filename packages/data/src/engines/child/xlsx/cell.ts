import type { Cell } from './workbook.ts'
import { attribute, elements, textOf, unescapeXml } from './xml.ts'

const dayMs = 86_400_000
/** Day 0 of both ways to count days, in days from 1970. */
const day0 = { from1900: -25_569, from1904: -24_107 } as const

export interface CellContext {
  strings: readonly string[]
  dateStyles: ReadonlySet<number>
  is1904: boolean
}

/** Undefined where nothing is in it, or an error such as #N/A. */
export function toCell(tag: string, content: string, context: CellContext): Cell | undefined {
  const type = attribute(tag, 't') ?? 'n'
  if (type === 'inlineStr') return toText(textOf(content))
  const [first] = elements(content, 'v')
  if (first === undefined || type === 'e') return undefined
  const value = unescapeXml(first.inner)
  if (type === 's') return toText(context.strings[Number(value)] ?? '')
  if (type === 'str') return toText(value)
  if (type === 'b') return { kind: 'boolean', text: String(value === '1'), value: value === '1' }
  if (type === 'd') {
    return toDate(Date.parse(value.endsWith('Z') ? value : `${value}Z`)) ?? toText(value)
  }
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return undefined
  const isDate = context.dateStyles.has(Number(attribute(tag, 's') ?? 0))
  const date = isDate ? toDate(fromSerial(number, context)) : undefined
  return date ?? { kind: 'number', text: value, value: number }
}

function toText(text: string): Cell | undefined {
  return text === '' ? undefined : { kind: 'text', text }
}

const year0 = Date.parse('0000-01-01')
const year10000 = Date.parse('+010000-01-01')

/** Undefined where its year has not four digits: a number that was given a date's format. */
function toDate(value: number): Cell | undefined {
  if (!(value >= year0 && value < year10000)) return undefined
  const iso = new Date(value).toISOString()
  const text = value % dayMs === 0 ? iso.slice(0, 10) : iso.slice(0, 19)
  return { kind: 'date', text, value }
}

/** Excel counts a 29th of February 1900 that was none; days before it are one too few. */
function fromSerial(serial: number, { is1904 }: CellContext): number {
  const days = is1904 ? serial + day0.from1904 : serial + day0.from1900 + (serial < 60 ? 1 : 0)
  return Math.round(days * 86_400) * 1_000
}
