import { filePart, toFileName } from './file-names.ts'
import { toPattern } from './to-pattern.ts'

/** Things in a message that look like values, each taken at most once. */
export interface Values {
  quoted: string[]
  dates: string[]
  /** `order-0042`, `SKU12`, UUIDs. */
  ids: string[]
  urls: string[]
  emails: string[]
  paths: string[]
  numbers: number[]
  /** The message without them. */
  rest: string
}

type Kind = Exclude<keyof Values, 'rest' | 'numbers'>

const quoted = toPattern('gu')`
  "([^"\n]{1,4000})"|“([^”\n]{1,4000})”|「([^」\n]{1,4000})」|『([^』\n]{1,4000})』
  |(?<!\w)'([^'\n]{1,4000})'(?!\w)`
const ids = toPattern('gu')`
  (?<![\w-])(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}
  |[A-Za-z]{1,32}[-_#]\d{1,20}|[A-Z]{2,8}\d{2,20})(?![\w-])`
const paths = toPattern('gu')`
  (?<![\p{L}\p{N}_./-])${filePart}(?!\()
  |(?<![\w.])(?:[\w.-]{1,100}/){1,12}[\w-]{0,100}`

/** In this order: what an earlier one has taken, a later one does not see. */
const patterns: readonly (readonly [Kind, RegExp])[] = [
  ['quoted', quoted],
  ['urls', /\bhttps?:\/\/[^\s"'<>，。；）)]{1,2000}/giu],
  ['emails', /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gu],
  ['dates', /(?<!\d)\d{4}-\d{2}-\d{2}(?:T[\d:.]{4,12}Z?)?(?!\d)/gu],
  ['ids', ids],
  ['paths', paths],
]

const number = /(?<![\w.])-?\d{1,15}(?:\.\d{1,10})?(?![\w.]*\w)/gu

/** Reads a message for values. Linear: every repetition is bounded. */
export function readValues(text: string): Values {
  const values: Values = {
    ...{ quoted: [], dates: [], ids: [], urls: [], emails: [], paths: [], numbers: [] },
    rest: text,
  }
  for (const [kind, pattern] of patterns) {
    values.rest = values.rest.replaceAll(pattern, (whole, ...groups: unknown[]) => {
      const inner = groups.find((group, index) => index < 5 && typeof group === 'string')
      const value = kind === 'paths' ? toFileName(whole) : whole
      values[kind].push(kind === 'quoted' && typeof inner === 'string' ? inner : value)
      return ' '
    })
  }
  values.numbers = [...values.rest.matchAll(number)].map(([found]) => Number(found))
  return values
}
