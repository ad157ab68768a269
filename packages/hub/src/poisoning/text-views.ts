import { toPattern } from './phrase.ts'
import { withoutHomoglyphs, withoutLeet } from './skeleton.ts'

/** A text as it is read: small letters, compatibility form, single blanks, Han without blanks. */
export function toReadable(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase().replaceAll(/\s+/g, ' ')
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘‛´]/g, "'")
  return folded.replaceAll(/\s+/g, ' ').replaceAll(hanGap, '')
}

const onlyAscii = /^[\t\n\x20-\x7e]*$/
const hanGap = /(?<=\p{sc=Han})[\s.*_·-]{1,3}(?=\p{sc=Han})/gu

/**
 * Other readings of a readable text: with look-alike letters, digits for letters, and signs inside
 * words undone. Only those that differ from it.
 */
export function toOtherReadings(readable: string): string[] {
  const latin = withoutHomoglyphs(readable)
  const spelled = withoutLeet(latin)
  const unmarked = spelled.replaceAll(/[*~`]+|(?<![a-z])_+|_+(?![a-z])/g, '')
  const joined = spelled.replaceAll(/(?<=[a-z])[*_~'|^\\+-]{1,2}(?=[a-z])/g, '')
  const parted = spelled.replaceAll(/(?<=[a-z])[*_~|^\\+.,/-]{1,3}(?=[a-z])/g, ' ')
  const readings = new Set([latin, spelled, unmarked, joined, parted, ...toSpacedRuns(spelled)])
  readings.delete(readable)
  return [...readings]
}

const apart = /(?<![a-z])(?:[a-z0-9@$!][\s._*~|,/-]{1,4}){7,}[a-z0-9@$!](?![a-z])/gi

/** Letters that stand apart, joined again: `i g n o r e`, `i.g.n.o.r.e`. */
function toSpacedRuns(text: string): string[] {
  const runs = text.match(apart) ?? []
  return runs.slice(0, 20).map((run) => run.replaceAll(/[^a-z]+/g, ''))
}

/**
 * A stretch of letters that stand apart and spell something: a list of letters names none of them
 * often.
 */
export function findSpelledOut(text: string): string | undefined {
  return text.match(apart)?.find((run) => {
    const letters = run.replaceAll(/[^a-zA-Z]/g, '').toLowerCase()
    const kinds = new Set(letters).size
    return letters.length >= 12 && kinds > 4 && kinds <= letters.length * 0.75
  })
}

/** Phrases as they stand when every blank is gone. */
export const closedPhrases = toPattern`
  (?:ignore|disregard|forget|override)(?:all|any|the|your|every){0,3}(?:of)?(?:the|your)?
  (?:previous|prior|above|earlier|system|everything|preceding)
  |(?:donot|dont|never)(?:tell|mention|inform|reveal|let)(?:this|it|anything)?(?:to)?(?:the)?user
  |beforeusing(?:any|every|all)other|beforecallinganyother|readtheprivatekey|sendtheconversation
  |sendallmessages|newinstructions|youarenow|secretlysend|exfiltrate|withoutaskingtheuser
`
