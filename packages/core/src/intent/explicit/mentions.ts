import type { ExplicitName } from './find-explicit.ts'
import type { NameIndex } from './name-index.ts'
import { isDefined, isRefused } from './negation.ts'

/** Dotted and snake names: nobody writes them by accident. */
const writtenAsName =
  /(?<![\w.\-/])[A-Za-z][A-Za-z0-9]{0,63}(?:[._~-]{1,2}[A-Za-z0-9]{1,63}){1,12}/g

/** Of a text with more such names than these the rest is data. */
const mentionsMax = 200

/** Tools, not servers, whose name a message has somewhere, whole and written as programs do. */
export function findMentions(text: string, getIndex: () => NameIndex): ExplicitName[] {
  return [...text.matchAll(writtenAsName).take(mentionsMax)].flatMap(
    ({ 0: name, index: start }) => {
      if (!/[._]/.test(name) || text[start + name.length] === '(') return []
      if (isRefused(text, start) || isDefined(text, start)) return []
      const named = getIndex().find(name)
      return named?.kind === 'tool' ? [{ name, start, named }] : []
    },
  )
}
