import { toPattern } from '../to-pattern.ts'

/** Scripts that write no spaces between words, and Korean, which joins particles to them. */
const spaceless = toPattern('u')`
  [\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}
  \p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`
const wordCharacter = /[\p{L}\p{N}\p{M}_]/u

/**
 * Whether the code point at `index` belongs to a word that must not be cut: a letter, digit or mark
 * of a script with spaces between words. Chinese characters do not.
 */
export function isWordAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < 128) return isAsciiWord(unit)
  const character = String.fromCodePoint(text.codePointAt(startOfPoint(text, index)) ?? 0)
  return wordCharacter.test(character) && !spaceless.test(character)
}

function isAsciiWord(unit: number): boolean {
  const isDigit = unit >= 48 && unit <= 57
  const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122
  return isDigit || isLetter || unit === 95
}

/** The first half of the pair of surrogates, where `index` is at the second. */
function startOfPoint(text: string, index: number): number {
  const isSecond = (text.charCodeAt(index) & 0xfc00) === 0xdc00
  return isSecond && index > 0 ? index - 1 : index
}
