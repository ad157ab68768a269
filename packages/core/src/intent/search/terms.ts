import { foldText } from '../fold-text.ts'

const pieces = /\p{Script=Han}+|[\p{L}\p{N}]+/gu

/**
 * The terms of a text for searching: words in small letters (those in camel case in their parts as
 * well), and of Chinese every two characters that stand together.
 */
export function toTerms(text: string): string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
  return [...foldText(spaced).matchAll(pieces)].flatMap(([piece]) =>
    /^\p{Script=Han}/u.test(piece) ? toBigrams(piece) : [toStem(piece)],
  )
}

function toBigrams(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Plural and singular are one term. */
function toStem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word
}
