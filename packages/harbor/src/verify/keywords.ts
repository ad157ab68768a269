import { toReadings } from './readings.ts'

/** The keywords that are in the answer, as the question spells them. */
export function matchKeywords(keywords: readonly string[], answer: string): string[] {
  const texts = toReadings(answer)
  return keywords.filter((keyword) => {
    const spelled = toReadings(keyword)
    return texts.some((text, reading) => holds(text, spelled[reading] ?? ''))
  })
}

/**
 * Where a keyword begins or ends with a digit, the number must: 42 is not in 142, nor in 42.5. It
 * is in 42.00, and 3.14 is in 3.1416, which is that when rounded.
 */
function holds(text: string, keyword: string): boolean {
  if (keyword === '') return true
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + 1)) {
    if (!cutsNumber(text, at, at + keyword.length)) return true
  }
  return false
}

/** Two numbers with a point between are a decimal; three are a date or a version. */
const decimalBefore = /(?:^|[^\d.])\d{1,40}\.$/
const decimalAfter = /^\.\d{1,40}(?![\d.])|^\.\d{1,40}\.(?!\d)/
const zerosAfter = /^\.0{1,40}(?!\d)/
const span = 48

function cutsNumber(text: string, start: number, end: number): boolean {
  if (isDigit(text[start])) {
    if (isDigit(text[start - 1])) return true
    if (decimalBefore.test(text.slice(Math.max(0, start - span), start))) return true
  }
  if (!isDigit(text[end - 1])) return false
  if (isDigit(text[end])) return !isRoundedDown(text.slice(start, end + 1))
  if (/\d\.\d{1,40}$/.test(text.slice(Math.max(0, end - span), end))) return false
  const after = text.slice(end, end + span)
  return decimalAfter.test(after) && !zerosAfter.test(after)
}

/** Decimals that are cut where the next digit would not change them. */
function isRoundedDown(number: string): boolean {
  return /\d\.\d{1,40}[0-4]$/.test(number)
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}
