/** What a number counts in. `share`: a part of a hundred, which data may have as such. */
export interface NumberUnit {
  factor: number
  share: boolean
  /** The characters that it takes after the number. */
  length: number
  /** A name that says a column is in this unit already. */
  hint?: RegExp
}

interface UnitRow extends Omit<NumberUnit, 'length'> {
  pattern: RegExp
}

const million = /million|百万|[^a-z]mn?(?:[^a-z]|$)/i
const billion = /billion|十亿|[^a-z]bn?(?:[^a-z]|$)/i
const thousand = /thousand|千|[^a-z]k(?:[^a-z]|$)/i

const shares = 'percent(?:age points?)?|per cent|pct|pp'

/** The longest first. A letter counts only where no other follows. */
const rows: readonly UnitRow[] = [
  {
    pattern: new RegExp(`^\\s*(?:%|个?百分点|(?:${shares})(?![A-Za-z]))`, 'i'),
    ...{ factor: 0.01, share: true },
  },
  { pattern: /^\s*‰/, factor: 0.001, share: true },
  { pattern: /^\s*成(?![本交功立长为员绩果])/, factor: 0.1, share: true },
  { pattern: /^\s*万亿/, factor: 1e12, share: false, hint: /万亿/ },
  { pattern: /^\s*千亿/, factor: 1e11, share: false },
  { pattern: /^\s*百亿/, factor: 1e10, share: false },
  { pattern: /^\s*十亿/, factor: 1e9, share: false, hint: billion },
  { pattern: /^\s*亿/, factor: 1e8, share: false, hint: /亿/ },
  { pattern: /^\s*千万/, factor: 1e7, share: false },
  { pattern: /^\s*百万/, factor: 1e6, share: false, hint: million },
  { pattern: /^\s*万/, factor: 1e4, share: false, hint: /万/ },
  { pattern: /^\s*千(?![克米瓦卡])/, factor: 1e3, share: false, hint: thousand },
  { pattern: /^\s*百(?![分货度])/, factor: 1e2, share: false },
  { pattern: /^(?:\s*trillion|\s?tn|T)(?![A-Za-z])/, factor: 1e12, share: false },
  { pattern: /^(?:\s*billion|\s?bn|B)(?![A-Za-z])/i, factor: 1e9, share: false, hint: billion },
  {
    pattern: /^(?:\s*million|\s?mn|\s?mm|M)(?![A-Za-z])/i,
    factor: 1e6,
    share: false,
    hint: million,
  },
  { pattern: /^(?:\s*thousand|\s?k)(?![A-Za-z])/i, factor: 1e3, share: false, hint: thousand },
]

const none: NumberUnit = { factor: 1, share: false, length: 0 }

/** Letters that may follow a number without making a name of it. */
const measured =
  /^(?:[xX]|kg|g|t|km|m|cm|mm|[GMKT]B|ms|s|h|min|pcs|bps|USD|EUR|RMB|CNY)(?![A-Za-z])/

/** The unit behind a number; undefined where what follows makes it a name, such as `5G`. */
export function readUnit(before: string, after: string): NumberUnit | undefined {
  if (/百分之\s*$/.test(before)) return { factor: 0.01, share: true, length: 0 }
  for (const { pattern, ...unit } of rows) {
    const found = pattern.exec(after)
    if (found !== null) return { ...unit, length: found[0].length }
  }
  if (/^[A-Za-z]/.test(after) && !measured.test(after)) return undefined
  return rangeUnit(after) ?? none
}

/** Of the first number in 10–20%: the unit stands behind the second. */
function rangeUnit(after: string): NumberUnit | undefined {
  const range = /^\s*(?:[-–—~至到]|to)\s*[¥$€£]?\d[\d,]*(?:\.\d+)?/.exec(after)
  if (range === null) return undefined
  const rest = after.slice(range[0].length)
  const row = rows.find(({ pattern }) => pattern.test(rest))
  if (row === undefined) return undefined
  const { pattern: _, ...unit } = row
  return { ...unit, length: 0 }
}
