import { AppError } from './errors.ts'
import { toInvalidRequest } from './field-errors.ts'
import { jsonDepthMax } from './judge-json.ts'

export interface ReadJsonOptions {
  /** What the text is, for the error message. */
  what?: string
  depthMax?: number
}

/**
 * JSON.parse for text from outside. V8 (12.8 to at least 14.6, nodejs/node#63785) takes an escaped
 * key for another one when an object of the same shape had a key that begins with a backslash:
 * after `{"id":1,"\\u":0}` the key of `{"id":1,"\u8ba2\u5355":0}` is read as `\u`. So one caller's
 * text could spoil another's. Text with an escaped key is therefore read here, all other natively.
 * Throws `parse_error` for what is not JSON, and `invalid_request` rather than recursing deeper
 * than `depthMax`; whoever needs that limit kept for all text asks `judgeJson`.
 */
export function readJson(text: string, options: ReadJsonOptions = {}): unknown {
  const { what = 'message', depthMax = jsonDepthMax } = options
  const value = parseNatively(text, what)
  return hasEscapedKey(text) ? readValue({ text, at: 0, what, depthMax }, depthMax) : value
}

function parseNatively(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('parse_error', `the ${what} is not JSON`, { cause })
  }
}

/** Goes from string to string in valid JSON and looks for a backslash inside and a colon behind. */
function hasEscapedKey(text: string): boolean {
  let backslash = text.indexOf('\\')
  for (let at = text.indexOf('"'); at !== -1 && backslash !== -1; ) {
    const end = endOfString(text, at)
    if (backslash < at) backslash = text.indexOf('\\', at)
    if (backslash !== -1 && backslash < end && text[skipSpace(text, end)] === ':') return true
    at = text.indexOf('"', end)
  }
  return false
}

/** The index behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) <= 0x20) at += 1
  return at
}

/** A place in text that is known to be valid JSON. */
interface Reader {
  readonly text: string
  readonly what: string
  readonly depthMax: number
  at: number
}

function readValue(reader: Reader, depthLeft: number): unknown {
  reader.at = skipSpace(reader.text, reader.at)
  const first = reader.text[reader.at]
  if (first === '"') return readString(reader)
  if (first !== '{' && first !== '[') return readScalar(reader)
  if (depthLeft === 0) throw toTooDeep(reader)
  return first === '{' ? readObject(reader, depthLeft - 1) : readArray(reader, depthLeft - 1)
}

function readString(reader: Reader): string {
  const { text, at } = reader
  reader.at = endOfString(text, at)
  const token = text.slice(at, reader.at)
  return token.includes('\\') ? JSON.parse(token) : token.slice(1, -1)
}

function readScalar(reader: Reader): unknown {
  const scalar = /[^\s,\]}]+/y
  scalar.lastIndex = reader.at
  const token = scalar.exec(reader.text)?.[0] ?? ''
  reader.at += token.length
  return JSON.parse(token)
}

function readArray(reader: Reader, depthLeft: number): unknown[] {
  const items: unknown[] = []
  while (hasNext(reader, ']')) items.push(readValue(reader, depthLeft))
  return items
}

function readObject(reader: Reader, depthLeft: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  while (hasNext(reader, '}')) {
    const key = readString(reader)
    reader.at = skipSpace(reader.text, reader.at) + 1
    const value = readValue(reader, depthLeft)
    if (key === '__proto__') defineOwn(object, key, value)
    else object[key] = value
  }
  return object
}

/** What an assignment does for every other key: that of `__proto__` would set the prototype. */
function defineOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

/** Steps over the opening bracket or a comma to the next item, or over the closing bracket. */
function hasNext(reader: Reader, closing: string): boolean {
  const { text } = reader
  const at = skipSpace(text, reader.at)
  reader.at = skipSpace(text, text[at] === closing ? at : at + 1)
  if (text[reader.at] !== closing) return true
  reader.at += 1
  return false
}

function toTooDeep({ what, depthMax }: Reader): AppError {
  const expected = `at most ${depthMax} levels of nesting`
  return toInvalidRequest(what, [{ path: [], expected, got: 'more' }])
}
