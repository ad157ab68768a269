import { jsonDepthMax } from '@dataagent/schema'

/**
 * Reads values that stand in a row, as models write JSON: with trailing commas, single quotes,
 * Python's literals, bare keys, comments, raw line ends in texts, and brackets left open at the
 * end. Undefined for what is more broken than that. Takes linear time.
 */
export function readLenientValues(text: string): unknown[] | undefined {
  const reader: Reader = { text, at: 0 }
  const values: unknown[] = []
  try {
    for (skipSpace(reader); reader.at < text.length; skipSpace(reader)) {
      values.push(readValue(reader, jsonDepthMax))
      skipSpace(reader)
      if (text[reader.at] === ',') reader.at += 1
    }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
  return values
}

interface Reader {
  readonly text: string
  at: number
}

class Unreadable extends Error {}

function readValue(reader: Reader, depthLeft: number): unknown {
  skipSpace(reader)
  const first = reader.text[reader.at]
  if (first === '"' || first === "'") return readText(reader, first)
  if (first !== '{' && first !== '[') return readWord(reader)
  if (depthLeft === 0) throw new Unreadable()
  reader.at += 1
  return first === '{' ? readObject(reader, depthLeft - 1) : readArray(reader, depthLeft - 1)
}

function readObject(reader: Reader, depthLeft: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  while (hasNext(reader, '}')) {
    const key = readKey(reader)
    skipSpace(reader)
    if (reader.text[reader.at] !== ':') throw new Unreadable()
    reader.at += 1
    object[key] = readValue(reader, depthLeft)
  }
  return object
}

function readArray(reader: Reader, depthLeft: number): unknown[] {
  const items: unknown[] = []
  while (hasNext(reader, ']')) items.push(readValue(reader, depthLeft))
  return items
}

/** Whether an item follows; steps over commas and the closing bracket. The end closes all. */
function hasNext(reader: Reader, closing: string): boolean {
  skipSpace(reader)
  while (reader.text[reader.at] === ',') {
    reader.at += 1
    skipSpace(reader)
  }
  if (reader.at >= reader.text.length) return false
  if (reader.text[reader.at] !== closing) return true
  reader.at += 1
  return false
}

const bareKey = /[A-Za-z_$][\w$-]*/y

function readKey(reader: Reader): string {
  const first = reader.text[reader.at]
  const isQuoted = first === '"' || first === "'"
  const key = isQuoted ? readText(reader, first) : readPattern(reader, bareKey)
  if (key === '__proto__') throw new Unreadable()
  return key
}

const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])
const word = /[A-Za-z]+|[-+]?\d[\d.eE+-]*/y

function readWord(reader: Reader): unknown {
  const found = readPattern(reader, word)
  if (words.has(found)) return words.get(found)
  const number = Number(found)
  // At the very end, more digits may be missing.
  if (!Number.isFinite(number) || reader.at >= reader.text.length) throw new Unreadable()
  return number
}

function readPattern(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0]
  if (found === undefined) throw new Unreadable()
  reader.at += found.length
  return found
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** A text in quotes; one that is not closed is not completed. */
function readText(reader: Reader, quote: string): string {
  const { text } = reader
  const pieces: string[] = []
  let start = reader.at + 1
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === quote) {
      reader.at = at + 1
      return pieces.join('') + text.slice(start, at)
    }
    if (text[at] !== '\\') continue
    pieces.push(text.slice(start, at))
    const { value, end } = readEscape(text, at + 1)
    pieces.push(value)
    start = end
    at = end - 1
  }
  throw new Unreadable()
}

const hex = /^[0-9a-fA-F]{4}$/

function readEscape(text: string, at: number): { value: string; end: number } {
  const letter = text[at] ?? ''
  if (letter === 'u') {
    const code = text.slice(at + 1, at + 5)
    if (!hex.test(code)) throw new Unreadable()
    return { value: String.fromCharCode(Number.parseInt(code, 16)), end: at + 5 }
  }
  return { value: escapes[letter] ?? letter, end: at + 1 }
}

const space = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

function skipSpace(reader: Reader): void {
  space.lastIndex = reader.at
  space.exec(reader.text)
  reader.at = Math.max(reader.at, space.lastIndex)
}
