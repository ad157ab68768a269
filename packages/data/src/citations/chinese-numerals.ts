const digits = new Map([...'零一二三四五六七八九'].map((char, i) => [char, i]))
digits.set('两', 2)
digits.set('〇', 0)
const units = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1_000],
])
const steps = new Map([
  ['万', 1e4],
  ['亿', 1e8],
])

export interface ChineseNumber {
  value: number
  /** What the last place stands for: 三千五百万 is told to the million. */
  place: number
}

/** 三千五百万, 一百二十, 十二点五; undefined for what is no number. */
export function parseChinese(text: string): ChineseNumber | undefined {
  const [whole = '', part] = text.split('点')
  const value = parseWhole(whole)
  if (value === undefined) return undefined
  if (part === undefined) return { value, place: placeOf(whole) }
  const decimals = [...part].map((char) => digits.get(char))
  if (decimals.length === 0 || decimals.includes(undefined)) return undefined
  return { value: value + Number(`0.${decimals.join('')}`), place: 10 ** -decimals.length }
}

function parseWhole(text: string): number | undefined {
  let total = 0
  let section = 0
  let digit: number | undefined
  for (const char of text) {
    const unit = units.get(char)
    const step = steps.get(char)
    if (unit !== undefined) {
      section += (digit ?? 1) * unit
      digit = undefined
    } else if (step !== undefined) {
      // 万亿: what stands before counts whole.
      const base = section + (digit ?? 0)
      total = base === 0 ? (total || 1) * step : total + base * step
      section = 0
      digit = undefined
    } else if (digits.has(char)) digit = digits.get(char)
    else return undefined
  }
  return text === '' ? undefined : total + section + (digit ?? 0)
}

function placeOf(text: string): number {
  let place = 1
  for (const char of [...text].reverse()) {
    const unit = units.get(char) ?? steps.get(char)
    if (unit === undefined) break
    place *= unit
  }
  return place
}
