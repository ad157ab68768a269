import { AppError } from '@dataagent/schema/base'

/** A place in bytes that should be JSON. */
export interface Cursor {
  readonly bytes: Buffer
  at: number
}

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75
const zero = 0x30
const nine = 0x39

/** So much of a string is read in one go. */
const pieceBytes = 64 * 1024

/** A number cannot be read in pieces. None needs more than 800 digits to be exact. */
const numberBytes = 1000

export function refused(expected: string): AppError {
  return new AppError('invalid_request', `the message is not accepted: expected ${expected}`)
}

export function notJson(cause?: unknown): AppError {
  return new AppError('parse_error', 'the message is not JSON', { cause })
}

/**
 * Reads a string, or the next piece of a long one, up to its closing quote; whether that is reached
 * says `isAtQuote`. Bytes that are not UTF-8 become U+FFFD, as they do where text is decoded whole.
 */
export function readPiece(cursor: Cursor): string {
  const { bytes, at: start } = cursor
  const stop = Math.min(start + pieceBytes, bytes.length)
  let at = start
  let isEscaped = false
  for (let byte = bytes[at] ?? 0; at < stop && byte !== quote; byte = bytes[at] ?? 0) {
    if (byte < 0x20) throw notJson()
    if (byte === backslash) isEscaped = true
    at += byte === backslash ? escapeLength(bytes, at) : 1
  }
  cursor.at = bytes[at] === quote ? at : startOfCharacter(bytes, at)
  const text = bytes.toString('utf8', start, cursor.at)
  return isEscaped ? parseToken(`"${text}"`) : text
}

export function isAtQuote({ bytes, at }: Cursor): boolean {
  return bytes[at] === quote
}

function escapeLength(bytes: Buffer, at: number): number {
  return bytes[at + 1] === letterU ? 6 : 2
}

/** `at`, or up to three bytes before it where a character begins that goes on at `at`. */
function startOfCharacter(bytes: Buffer, at: number): number {
  if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at
  for (let before = at - 1; before >= at - 3; before -= 1) {
    const byte = bytes[before] ?? 0
    if (byte >= 0xc0) return before
    if (byte < 0x80) return at
  }
  return at
}

/** Reads a number; refuses those that are too large for a finite one. -0 is 0. */
export function readNumber(cursor: Cursor): number {
  const { bytes, at: start } = cursor
  const stop = start + numberBytes
  while (cursor.at <= stop && isOfNumber(bytes[cursor.at] ?? 0)) cursor.at += 1
  if (cursor.at > stop) throw refused(`at most ${numberBytes} characters in a number`)
  const small = toSmallInteger(bytes, start, cursor.at)
  if (small !== undefined) return small
  const value = parseToken<number>(bytes.toString('latin1', start, cursor.at))
  if (Number.isFinite(value)) return value + 0
  throw refused('finite numbers')
}

/** Digits, sign, point and exponent, in any order. */
function isOfNumber(byte: number): boolean {
  if (byte >= zero && byte <= nine) return true
  return byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
}

/** Up to nine digits, the first not 0, without anything else. */
function toSmallInteger(bytes: Buffer, start: number, end: number): number | undefined {
  if (end - start > 9 || (bytes[start] === zero && end - start > 1)) return undefined
  let value = 0
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - zero
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Reads `true`, `false` or `null`. */
export function readWord(cursor: Cursor): boolean | null {
  const word = words.find(({ text }) => startsWith(cursor, text))
  if (word === undefined) throw notJson()
  cursor.at += word.text.length
  return word.value
}

const words = [
  { text: 'true', value: true },
  { text: 'false', value: false },
  { text: 'null', value: null },
]

function startsWith({ bytes, at }: Cursor, text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Natively: what V8 gets wrong (see `readJson`) are keys of objects; a token alone has none. */
function parseToken<T>(token: string): T {
  try {
    return JSON.parse(token)
  } catch (cause) {
    throw notJson(cause)
  }
}
