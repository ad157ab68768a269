import { type Finding, type Place, toFinding } from './finding.ts'
import { formats } from './formats.ts'
import { cut } from './schema-words.ts'

export type TestPattern = (pattern: string, text: string) => boolean

export function findInString(place: Place, test: TestPattern): Finding[] {
  const { minLength, maxLength, pattern, format } = place.schema
  const text = place.value as string
  const wishes: string[] = []
  if (typeof minLength === 'number' && isShorter(text, minLength)) {
    wishes.push(`at least ${minLength} characters`)
  }
  if (typeof maxLength === 'number' && !isShorter(text, maxLength + 1)) {
    wishes.push(`at most ${maxLength} characters`)
  }
  if (typeof pattern === 'string' && !test(pattern, text)) {
    wishes.push(`matching ${cut(pattern, 100)}`)
  }
  const check = typeof format === 'string' ? formats.get(format) : undefined
  if (check && !check(text)) wishes.push(`a valid ${format}`)
  return wishes.map((wish) => toFinding(place, wish))
}

export function findInNumber(place: Place): Finding[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = place.schema
  const value = place.value as number
  const wishes: string[] = []
  if (typeof minimum === 'number' && value < minimum) wishes.push(`at least ${minimum}`)
  if (typeof maximum === 'number' && value > maximum) wishes.push(`at most ${maximum}`)
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    wishes.push(`more than ${exclusiveMinimum}`)
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    wishes.push(`less than ${exclusiveMaximum}`)
  }
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) {
    wishes.push(`a multiple of ${multipleOf}`)
  }
  return wishes.map((wish) => toFinding(place, wish))
}

/** Counted in code points. */
function isShorter(text: string, length: number): boolean {
  if (text.length < length) return true
  if (text.length >= length * 2) return false
  let points = 0
  for (const _ of text) points += 1
  return points < length
}
