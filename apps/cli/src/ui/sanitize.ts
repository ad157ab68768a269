import { cut } from './width.ts'

/**
 * What must not reach a terminal: escape sequences (colours and other CSI, strings such as titles,
 * links and the clipboard, character sets), control characters but newline and tab, lone
 * surrogates; and what has no shape of its own, which is shown by its number.
 */
const unwanted = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -\/]{0,8}[@-~]`,
    String.raw`(?:\x1b[\]PX\^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]{0,512}(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[\(\)*+\-.\/][0-9A-B]`,
    String.raw`\r\n?`,
    String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`,
    String.raw`[\p{Cs}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
  ].join('|'),
  'gv',
)
const selector = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/v
const hasShape = /[\p{L}\p{N}\p{P}\p{S}]$/v
const pictureBefore = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/v
const pictureAfter = /^\p{Extended_Pictographic}/v
const joiner = '\u200d'

/** Text of others as a terminal may show it: lines of characters, whatever it was. */
export function toPlain(text: string): string {
  return text.replace(unwanted, replaceOne)
}

/** The same on one line, cut where it is wider than told. */
export function toPlainLine(text: string, maxWidth?: number, ellipsis = '…'): string {
  // No more than could be shown is looked at, however long it is.
  const head = maxWidth === undefined ? text : text.slice(0, maxWidth * 16 + 1024)
  const line = toPlain(head)
    .replace(/[\n\t ]+/g, ' ')
    .trim()
  return maxWidth === undefined ? line : cut(line, maxWidth, ellipsis)
}

function replaceOne(found: string, at: number, whole: string): string {
  const code = found.codePointAt(0) ?? 0
  if (found[0] === '\r') return '\n'
  if (code < 0xa0) return ''
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
  if (found === joiner && isInPicture(whole, at)) return found
  if (selector.test(found) && hasShape.test(whole.slice(Math.max(0, at - 2), at))) return found
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

function isInPicture(whole: string, at: number): boolean {
  const before = whole.slice(Math.max(0, at - 4), at)
  return pictureBefore.test(before) && pictureAfter.test(whole.slice(at + 1, at + 3))
}

/** Text that comes in pieces: what a piece ends with may need the next one to be understood. */
export interface PlainStream {
  push(piece: string): string
  /** What was held back. */
  end(): string
}

const unfinished = new RegExp(
  [
    String.raw`\r`,
    String.raw`\x1b(?:[\[\]PX\^_\(][^\x00-\x1f\x7f-\x9f]{0,60})?`,
    String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d]{0,16}\p{Cs}?`,
  ]
    .map((form) => `(?:${form})`)
    .join('|')
    .replace(/^(.*)$/, '(?:$1)$'),
  'v',
)

export function createPlainStream(): PlainStream {
  let held = ''
  return {
    push(piece) {
      const text = held + piece
      const tailAt = Math.max(0, text.length - 64)
      const tail = text.slice(tailAt)
      const from = tailAt + tail.search(unfinished)
      held = text.slice(from)
      return toPlain(text.slice(0, from))
    },
    end() {
      const rest = toPlain(held)
      held = ''
      return rest
    },
  }
}
