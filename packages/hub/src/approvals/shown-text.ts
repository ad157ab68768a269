import { createMasker, type Masker } from '@dataagent/guard'
import type { NotShown } from './shown-action.ts'

const mask = '***'

/** Nothing in it separates, quotes, expands or pipes: whatever reads it, it is one value. */
const word = /[\w!#%*+,./:=?@[\]^~-]+/g
const wholeWord = new RegExp(`^${word.source}$`)
const wordMax = 4_096

const keyEnds = ['BEGIN', 'END'].map((end) => `-----${end} [A-Z0-9 ]{0,40}PRIVATE KEY-----`)
const keyBlock = new RegExp(keyEnds.join(String.raw`[\w\s+/=\\,:-]{0,8192}?`), 'g')
const cutMark = /\[cut, \d+ characters\]$/
/** As long as the masker keeps a text whole. */
const textMax = 65_536
/** How many characters of one call's arguments are looked at closely, counting each look. */
const looksMax = 400_000

/** Knows no secrets: what it masks was found by a pattern. */
const patterns = createMasker()

/** As headers write it before the word. */
const scheme = /^(?:basic|bearer|token) /i

function isWord(text: string): boolean {
  return text.length <= wordMax && wholeWord.test(text)
}

/** Whether a text is one value, as secrets mostly are, and nothing that does more. */
export function isOneValue(text: string): boolean {
  return isWord(text.replace(scheme, ''))
}

/**
 * Gives a text as an approver reads it. Patterns find secrets in logs, and take rather too much:
 * to the end of a line, of a quotation, of the text. Here they may hide single values. What is
 * hidden beyond that is counted.
 */
export function createShownText(masker: Pick<Masker, 'maskText'>, not_shown: NotShown) {
  let looks = looksMax

  return (text: string): string => {
    const masked = masker.maskText(text)
    if (masked === text) return text
    if (text.length > textMax) return cut(text, masked)
    if (hidesValues(text, masked)) return masked
    const exact = toExact(text)
    not_shown.masked += exact === undefined ? hiddenIn(text, masked) : keyBlocksIn(text)
    return exact ?? masked
  }

  /** With single words masked, and keys that stand there whole; undefined if in doubt. */
  function toExact(text: string): string | undefined {
    looks -= text.length
    if (looks < 0) return undefined
    const withoutKeys = text.replace(keyBlock, mask)
    return mayHoldKnown(withoutKeys) ? undefined : withoutKeys.replace(word, maskWord)
  }

  function maskWord(text: string): string {
    return isWord(text) ? masker.maskText(text) : text
  }

  function cut(text: string, masked: string): string {
    not_shown.cut += hiddenIn(text, masked.replace(cutMark, ''))
    return masked
  }

  /** Looks for known secrets behind each place that a pattern would hide; if in doubt, yes. */
  function mayHoldKnown(text: string): boolean {
    let rest = text
    while (looks >= 0) {
      looks -= rest.length
      const byPattern = patterns.maskText(rest)
      if (masker.maskText(rest) !== byPattern) return true
      if (byPattern === rest) return false
      rest = rest.slice(Math.max(1, commonLength(rest, byPattern)))
    }
    return true
  }
}

/** Whether the masked text is the text with nothing but single values replaced. */
function hidesValues(text: string, masked: string): boolean {
  const [first = '', ...others] = masked.split(mask)
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const [i, shown] of others.entries()) {
    const isLast = i === others.length - 1
    const next = isLast ? text.length - shown.length : text.indexOf(shown, at)
    const isWhole = next > at && text.startsWith(shown, next)
    if (!isWhole || !isOneValue(text.slice(at, next)) || mayBeCommand(text, at)) return false
    at = next + shown.length
  }
  return true
}

/** What stands apart is no value in a shell: `token= reboot`, `env --no-token reboot`. */
function mayBeCommand(text: string, at: number): boolean {
  const before = text.slice(0, at)
  const name = before.trimEnd()
  const space = before.slice(name.length)
  if (space === '') return false
  return /[^ \t]/.test(space) || !/(?::|\b(?:basic|bearer))$/i.test(name.slice(-8))
}

function keyBlocksIn(text: string): number {
  return text.length - text.replace(keyBlock, '').length
}

function hiddenIn(text: string, shown: string): number {
  return Math.max(0, text.length - shown.replaceAll(mask, '').length)
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
