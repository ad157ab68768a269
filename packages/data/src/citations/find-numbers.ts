import { parseChinese } from './chinese-numerals.ts'
import { isNoQuantity } from './number-context.ts'
import { readUnit } from './number-units.ts'
import { aboutAfter, aboutBefore, overAfter, overBefore, underBefore } from './number-words.ts'

/** A range of values that a written number may stand for. */
export interface Reading {
  low: number
  high: number
  /** Only of columns with such a name, of those that seem to hold percentages, or of any column. */
  only?: RegExp | 'shares' | 'cells'
}

/** A number in prose that says how much. */
export interface WrittenNumber {
  from: number
  to: number
  /** Without its unit. */
  bare: number
  /** What its unit stands for; `share`: of a whole. */
  factor: number
  share: boolean
  readings: Reading[]
  /** Whether it stands for a value below zero; a fall of 5 % is written without a sign. */
  negative: boolean
  /** Its digits, where a double cannot hold them: then only the same digits are the same number. */
  digits?: string
}

/** How much of what stands before and after a number is looked at. */
const nearby = 32
const grouped = '\\d{1,3}(?:[,\\u00a0\\u202f]\\d{3})+(?!\\d)(?:\\.\\d+)?'
const plainNumber = '\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d{1,3}(?![A-Za-z\\d]))?'
/** Which of these runs are numbers is for `readChinese`: a pattern of it would not be linear. */
const chineseShare = '百分之[零〇一二三四五六七八九十百两]+(?:点[零〇一二三四五六七八九]+)?'
const chineseRun = '[零〇一二三四五六七八九十百千万亿两]+'
const token = new RegExp([grouped, plainNumber, chineseShare, chineseRun].join('|'), 'g')
const counted = /^\s*[多余]?[个元家单件人名笔台次条份块辆户]/
const chineseNumber = /^[一二三四五六七八九两].*[十百千万亿]/

const yearJoin = /^\s*(?:[,、和及与/]|and|or|to|vs\.?|versus|[-–—~至到])?\s*(?:and\s*)?$/

/**
 * The numbers of `prose` (see `toProse`) that say how much, with what each may stand for:
 *
 * - as written: 12.3 stands for values that round to 12.3, 1.2万 for those from 11,500 to 12,500; a
 *   single digit only for itself;
 * - a share (%, 百分之, 成, ‰) also for the bare number in a column of percentages;
 * - with "about" or 约 for what rounds to its last digit that is not zero; with "over" or 超过 for
 *   up to one more of that digit, with "nearly" or 不到 for down to one less;
 * - in a unit (万, million, K) also for the bare number in a column whose name says that unit.
 *
 * Left out: dates, times of day, years, periods ("last 7 days"), ordinals, list numbers, ratios,
 * versions, and names with digits in them. Numbers in English words do not count, short Chinese
 * ones only before what they count. Linear in the length.
 */
export function findNumbers(prose: string): WrittenNumber[] {
  const found: WrittenNumber[] = []
  let lineStart = 0
  let looked = 0
  let yearEnd = -1
  let skipTo = 0
  for (const { 0: text, index: from } of prose.matchAll(token)) {
    const to = from + text.length
    for (; looked < from; looked++) if (prose[looked] === '\n') lineStart = looked + 1
    if (from < skipTo) continue
    skipTo = versionEnd(prose, to)
    if (skipTo > to) continue
    const before = prose.slice(Math.max(lineStart, from - nearby), from)
    const after = prose.slice(to, to + nearby)
    if (!/^\d/.test(text)) {
      const written = readChinese({ text, from, before, after })
      if (written !== undefined) found.push(written)
      continue
    }
    const followsYear =
      yearEnd >= 0 && from - yearEnd < 12 && yearJoin.test(prose.slice(yearEnd, from))
    const line = from - lineStart > nearby ? 'x' : prose.slice(lineStart, from)
    if (isNoQuantity({ text, before, after, line, followsYear })) {
      if (/^(?:19|20)\d\d$/.test(text)) yearEnd = to + (/^\s*年/.exec(after)?.[0].length ?? 0)
      continue
    }
    const written = readNumber({ text, from, before, after })
    if (written !== undefined) found.push(written)
  }
  return found
}

interface Token {
  text: string
  from: number
  before: string
  after: string
}

function readNumber({ text, from, before, after }: Token): WrittenNumber | undefined {
  const unit = readUnit(before, after)
  if (unit === undefined) return undefined
  const plain = text.replace(/[,\u00a0\u202f]/g, '')
  const value = Number(plain)
  if (!Number.isFinite(value)) return undefined
  const hedge = hedgeOf(before, after.slice(unit.length))
  const alone = unit.factor === 1 && /^\d$/.test(plain)
  const written = alone ? 0 : 0.5 * 10 ** -decimalsOf(plain)
  const readings = readingsOf(value, reachOf(hedge, written, lastPlace(plain)), unit)
  const significant = plain
    .replace(/[eE].*$/, '')
    .replace('.', '')
    .replace(/^0+/, '')
  const exact = significant.length > 15 && unit.factor === 1 && hedge === undefined
  return {
    ...{ from, to: from + text.length + unit.length, bare: value },
    ...{ factor: unit.factor, share: unit.share },
    ...{ readings, negative: isNegative(before) },
    ...(exact ? { digits: plain } : {}),
  }
}

function readChinese({ text, from, before, after }: Token): WrittenNumber | undefined {
  const share = text.startsWith('百分之')
  if (!share && !isChineseNumber(text, after)) return undefined
  const parsed = parseChinese(share ? text.slice(3) : text)
  if (parsed === undefined) return undefined
  if (/(?:第|前|近|最近|过去)$/.test(before)) return undefined
  if (/^\s*(?:年|月|日|号|季度|点|时|分|周|天|个月|世纪|岁|[多来]?个?(?:方面|原因))/.test(after)) {
    return undefined
  }
  const { value, place } = parsed
  const reach = reachOf(hedgeOf(before, after), place / 2, place)
  const factor = share ? 0.01 : 1
  const readings = readingsOf(value, reach, { factor, share })
  return { from, to: from + text.length, bare: value, factor, share, readings, negative: false }
}

/** 三千五百; 五千 only with what it counts, since short ones are words as well. */
function isChineseNumber(text: string, after: string): boolean {
  if (text.length < 2 || text.length > 24 || !chineseNumber.test(text)) return false
  return text.length > 2 || (!text.endsWith('十') && counted.test(after))
}

type Hedge = 'about' | 'over' | 'under' | undefined

function hedgeOf(before: string, after: string): Hedge {
  if (overBefore.test(before) || overAfter.test(after)) return 'over'
  if (underBefore.test(before)) return 'under'
  return aboutBefore.test(before) || aboutAfter.test(after) ? 'about' : undefined
}

/** How far below and above a number its values may be. */
interface Reach {
  down: number
  up: number
}

/** Both ends are in: whoever wrote it may have rounded a half either way. */
function reachOf(hedge: Hedge, written: number, place: number): Reach {
  if (hedge === undefined) return { down: written, up: written }
  if (hedge === 'over') return { down: written, up: place }
  if (hedge === 'under') return { down: place, up: written }
  const about = Math.max(written, place / 2)
  return { down: about, up: about }
}

function readingsOf(
  value: number,
  reach: Reach,
  { factor, share, hint }: { factor: number; share: boolean; hint?: RegExp },
): Reading[] {
  const bare = rangeOf(value, reach, 1)
  const own = rangeOf(value, reach, factor)
  if (share)
    return [
      { ...own, only: 'cells' },
      { ...bare, only: 'shares' },
    ]
  return hint === undefined ? [own] : [own, { ...bare, only: hint }]
}

/** Nothing but zero stands for zero, and zero for nothing else. */
function rangeOf(value: number, { down, up }: Reach, factor: number) {
  const slack = Math.max(Math.abs(value) * 1e-12, up * 1e-9)
  const low = (value - down - slack) * factor
  return {
    low: value === 0 ? low : Math.max(low, Number.MIN_VALUE),
    high: (value + up + slack) * factor,
  }
}

function decimalsOf(plain: string): number {
  const [mantissa = '', exponent = '0'] = plain.split(/e/i)
  const point = mantissa.indexOf('.')
  return (point < 0 ? 0 : mantissa.length - point - 1) - Number(exponent)
}

/** What the last digit that is not zero stands for. */
function lastPlace(plain: string): number {
  const zeros = /^[1-9]\d*?(0+)$/.exec(plain)?.[1]?.length ?? 0
  return plain.includes('.') ? 10 ** -decimalsOf(plain) : 10 ** zeros
}

function isNegative(before: string): boolean {
  return /(?:^|[\s(（:：|=])(?:[-−][¥$€£]?|[¥$€£][-−])$/.test(before)
}

/** Behind 1.2.3 and 10.0.0.1; else `to`. */
function versionEnd(prose: string, to: number): number {
  let end = to
  while (prose[end] === '.' && isDigit(prose[end + 1])) {
    end += 1
    while (isDigit(prose[end])) end += 1
  }
  return end
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}
