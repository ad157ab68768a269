import { findNumbers, type WrittenNumber } from './find-numbers.ts'
import { readUnit } from './number-units.ts'
import { toProse } from './prose.ts'
import { findThresholds } from './thresholds.ts'

/** What a reply may repeat though no query has given it. */
export interface GivenTexts {
  /** In words: a question, the description of a source. */
  prose: readonly string[]
  /** Statements that were run: of these, what they compare with. */
  sql: readonly string[]
}

const inText = /\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?/g
const nearby = 32
/** Its parts are no quantities. */
const timeInText = /\d{4}[-/.]\d{1,2}|\d:\d/

/**
 * Whether a number is one of given texts: of the same size, and a share only of a share. So 5,000
 * repeats 5 thousand, and 10 % does not repeat 10.
 */
export function createRepeatable({ prose, sql }: GivenTexts): (number: WrittenNumber) => boolean {
  const known = { values: new Set<number>(), shares: new Set<number>() }
  const note = ({ share, ...number }: Counted) => {
    const set = share ? known.shares : known.values
    set.add(sizeOf(number))
  }
  for (const text of prose) {
    for (const number of numbersIn(text)) note(number)
    for (const number of findNumbers(toProse(text))) note(number)
  }
  const thresholds = sql.flatMap(findThresholds).filter((text) => !timeInText.test(text))
  for (const text of thresholds) for (const number of numbersIn(text)) note(number)
  return ({ share, ...number }) => {
    const set = share ? known.shares : known.values
    return set.has(sizeOf(number))
  }
}

type Counted = Pick<WrittenNumber, 'bare' | 'factor' | 'share'>

/** Those that say no quantity too: a period or a year may be said in other words. */
function numbersIn(text: string): Counted[] {
  return [...text.matchAll(inText)].map(({ 0: found, index }) => {
    const to = index + found.length
    const unit = readUnit(
      text.slice(Math.max(0, index - nearby), index),
      text.slice(to, to + nearby),
    )
    const { factor, share } = unit ?? { factor: 1, share: false }
    return { bare: Number(found.replaceAll(',', '')), factor, share }
  })
}

/** Without what a product of doubles adds. */
function sizeOf({ bare, factor }: Pick<Counted, 'bare' | 'factor'>): number {
  return factor === 1 ? bare : Number((bare * factor).toPrecision(12))
}
