import type { Finding } from './contract.ts'

/** What nobody sees: controls, format characters, and what Unicode says may be left undrawn. */
const hidden = /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\n\t]]/gv
const onlyPlain = /^[\t\n\x20-\x7e\u3000-\u3163\u4e00-\u9fff\uff01-\uff60]*$/

/** An emoji of a flag is spelled with tag characters. */
const tagFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu
const rightToLeft = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u

/** Blanks that push what follows out of sight. */
const gap = /[^\S\n]{65,}|\n(?:[^\S\n]*\n){14,}/g

const mayHaveGap = /\s{15}/

/** How many hidden characters, each harmless in its place, are no accident any more. */
const strayMax = 2

export interface CleanText {
  text: string
  findings: Omit<Finding, 'path'>[]
}

/** Takes out what is hidden, and says what it was where that is no part of ordinary writing. */
export function takeOutHidden(text: string): CleanText {
  if (onlyPlain.test(text)) return closeGaps({ text, findings: [] })
  const found = createTally()
  const wellFormed = text.toWellFormed()
  const hasRightToLeft = rightToLeft.test(wellFormed)
  const clean = wellFormed
    .replace(tagFlag, '\u{1f3f4}')
    .replace(hidden, (character, offset: number, whole: string) => {
      const place = { whole, offset, character, hasRightToLeft }
      found.add(character, judge(character.codePointAt(0)!, place))
      return replacementOf(character, whole[offset + 1])
    })
  return closeGaps({ text: clean, findings: found.findings() })
}

/** Whether a text holds anything that `takeOutHidden` takes out. */
export function hasHidden(text: string): boolean {
  return !text.isWellFormed() || text.search(hidden) !== -1
}

/** The text with what is hidden spelled as its code points, for people to see. */
export function toVisible(text: string): string {
  if (onlyPlain.test(text)) return text
  return text.toWellFormed().replace(hidden, (character) => `⟨${toCodePoint(character)}⟩`)
}

function toCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

function replacementOf(character: string, next: string | undefined): string {
  if (character === '\r') return next === '\n' ? '' : '\n'
  if (character === '\u2028' || character === '\u2029') return '\n'
  return character === '\u2800' ? ' ' : ''
}

type Verdict = 'ordinary' | 'stray' | 'hidden' | 'bidi' | 'bidi_stray'

interface Place {
  whole: string
  offset: number
  character: string
  hasRightToLeft: boolean
}

function judge(code: number, place: Place): Verdict {
  if (code === 0x0d || code === 0x2028 || code === 0x2029) return 'ordinary'
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 'hidden'
  if (code >= 0x202a && code <= 0x202e) return 'bidi'
  if (code >= 0x2066 && code <= 0x2069) return place.hasRightToLeft ? 'bidi_stray' : 'bidi'
  if (code === 0x200e || code === 0x200f || code === 0x061c) {
    return place.hasRightToLeft ? 'ordinary' : judgeInWord(place)
  }
  if (code >= 0xfe00 && code <= 0xfe0f) return judgeSelector(place, /[\p{Emoji}\p{S}\p{P}\p{Lo}]/u)
  if (code >= 0xe0100 && code <= 0xe01ef) return judgeSelector(place, /\p{sc=Han}/u)
  if (code >= 0xe0000) return 'hidden'
  return isOrdinary(code, place) ? 'ordinary' : judgeInWord(place)
}

/** Joiners and breaks that some scripts are written with, and joiners of emoji. */
function isOrdinary(code: number, place: Place): boolean {
  const before = beforeOf(place)
  if (code === 0x200d && /[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f/u.test(before)) {
    return /\p{Extended_Pictographic}|[\u2640\u2642]/u.test(afterOf(place))
  }
  if (code === 0x200c || code === 0x200d) return joinedScript.test(before)
  if (code === 0x200b) return unspacedScript.test(before)
  if (code === 0xfeff) return place.offset === 0
  return code >= 0x0600 && code <= 0x08e2
}

const joinedScript = new RegExp(
  `[${'Arabic Devanagari Bengali Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Sinhala Oriya'
    .split(' ')
    .map((script) => `\\p{sc=${script}}`)
    .join('')}]`,
  'u',
)
const unspacedScript = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

function judgeSelector(place: Place, base: RegExp): Verdict {
  return base.test(beforeOf(place)) ? 'ordinary' : 'hidden'
}

/** Inside a word it can only be there to hide the word. */
function judgeInWord(place: Place): Verdict {
  const letter = /[\p{L}\p{N}]/u
  const isInside = letter.test(beforeOf(place)) && letter.test(afterOf(place))
  return isInside && place.character !== '\u00ad' ? 'hidden' : 'stray'
}

function beforeOf({ whole, offset }: Place): string {
  const low = whole.charCodeAt(offset - 1)
  const isPair = low >= 0xdc00 && low <= 0xdfff
  return whole.slice(Math.max(0, offset - (isPair ? 2 : 1)), offset)
}

function afterOf({ whole, offset, character }: Place): string {
  const code = whole.codePointAt(offset + character.length)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function createTally() {
  const counts = new Map<string, number>()
  const verdicts = new Map<Verdict, number>()

  return {
    add(character: string, verdict: Verdict) {
      if (verdict === 'ordinary') return
      const name = toCodePoint(character)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
    },
    findings(): CleanText['findings'] {
      if (counts.size === 0) return []
      const isBidi = verdicts.has('bidi') || verdicts.has('bidi_stray')
      const strays = verdicts.get('stray') ?? 0
      const isHigh = verdicts.has('bidi') || verdicts.has('hidden') || strays > strayMax
      const kind = isBidi ? 'bidirectional_text' : 'hidden_characters'
      const list = [...counts].slice(0, 12).map(([name, count]) => `${name} ×${count}`)
      const more = counts.size > 12 ? ` and ${counts.size - 12} more kinds` : ''
      const message = `hidden characters were taken out: ${list.join(', ')}${more}`
      return [{ kind, message, severity: isHigh ? 'high' : 'low' }]
    },
  }
}

function closeGaps({ text, findings }: CleanText): CleanText {
  if (!mayHaveGap.test(text)) return { text, findings }
  let blanks = 0
  const closed = text.trimEnd().replace(gap, (run) => {
    blanks += run.length
    return run.includes('\n') ? '\n\n' : ' '
  })
  if (blanks === 0) return { text, findings }
  const message = `${blanks} blanks that push text out of sight were taken out`
  return {
    text: closed,
    findings: [...findings, { kind: 'hidden_characters', message, severity: 'high' }],
  }
}
