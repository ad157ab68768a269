import { toSpellings } from '@dataagent/guard'

/** A few texts that are to be taken out of others. */
export interface Needles {
  replaceIn(text: string): string
}

const mask = '***'
/** Shorter spellings would be found by accident. */
const shortest = 8

/** Made for a handful: each is looked for by itself, which costs no memory. */
export function createNeedles(credentials: readonly string[]): Needles | undefined {
  const spellings = credentials.flatMap((credential) => toSpellings(credential))
  const texts = new Set(
    spellings.map(({ text }) => text).filter(({ length }) => length >= shortest),
  )
  if (texts.size === 0) return undefined
  // A longer one first: a shorter one may be a part of it.
  const needles = [...texts].sort((a, b) => b.length - a.length)
  const least = needles.at(-1)!.length
  return {
    replaceIn(text) {
      let rest = text
      if (text.length < least) return rest
      for (const needle of needles) {
        if (rest.includes(needle)) rest = rest.replaceAll(needle, mask)
      }
      return rest
    },
  }
}
