import { type JsonValue, jsonDepthMax } from '@dataagent/schema/base'
import {
  type Cursor,
  isAtQuote,
  notJson,
  readNumber,
  readPiece,
  readWord,
  refused,
} from './json-tokens.ts'

/**
 * Reads JSON from bytes in as many steps as one likes, and gives what `parseJson` gives for their
 * text: the same value, or an AppError for what is not JSON, is nested deeper than 64 levels, or
 * has a key `__proto__`. What would hold the thread or fill the memory however it is read is
 * refused too: see `limits`, and numbers of more than 1,000 characters.
 */
export interface JsonReader {
  /** Reads on until `isOver`, which is asked every now and then. Whether all has been read. */
  readOn(isOver: () => boolean): boolean
  /** The whole, once all has been read. */
  value(): JsonValue
}

export function createJsonReader(bytes: Buffer): JsonReader {
  const place: Place = {
    bytes,
    at: 0,
    expect: expectValue,
    open: [],
    counts: new Uint32Array(jsonDepthMax),
    containers: 0,
    values: 0,
    root: null,
    key: '',
    text: '',
  }
  return {
    readOn: (isOver) => readOn(place, isOver),
    value: () => place.root,
  }
}

type Container = JsonValue[] | { [key: string]: JsonValue }

/** Where the reader is, and in what. */
interface Place extends Cursor {
  /** Reads what begins with `byte`, or refuses it. */
  expect(place: Place, byte: number): void
  /** The arrays and objects not yet closed, each already in the one before. */
  readonly open: Container[]
  /** How many values each of these holds so far. */
  readonly counts: Uint32Array
  /** How many there were in all, and how many values. */
  containers: number
  values: number
  root: JsonValue
  /** Of the value that comes next in an object. */
  key: string
  /** What has been read of a long string whose end has not; else empty. */
  text: string
}

const stepsPerLook = 64

/**
 * What V8 does in one go grows with these: it copies an array, or sorts an object's keys anew, each
 * time one has doubled (measured: 8 ms and 15 ms at these sizes). Each container takes 20 times its
 * two bytes, and whoever looks through a message has work by the value: 15 MiB of rows have 300,000
 * containers and 1.4 million values.
 */
const limits = { items: 1_000_000, keys: 100_000, containers: 400_000, values: 2_000_000 }

function readOn(place: Place, isOver: () => boolean): boolean {
  const { length } = place.bytes
  for (let steps = 1; place.at < length; steps += 1) {
    step(place)
    if ((steps % stepsPerLook === 0 || place.text !== '') && isOver()) return false
  }
  if (place.expect !== expectNothing) throw notJson()
  return true
}

function step(place: Place): void {
  const byte = place.bytes[place.at] ?? 0
  if (place.text !== '') readString(place)
  else if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) place.at += 1
  else place.expect(place, byte)
}

function expectValue(place: Place, byte: number): void {
  if (byte === 0x22) beginString(place)
  else if (byte === 0x7b) begin(place, {})
  else if (byte === 0x5b) begin(place, [])
  else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) put(place, readNumber(place))
  else put(place, readWord(place))
}

function expectFirstItem(place: Place, byte: number): void {
  if (byte === 0x5d) end(place)
  else expectValue(place, byte)
}

function expectFirstKey(place: Place, byte: number): void {
  if (byte === 0x7d) end(place)
  else expectKey(place, byte)
}

function expectKey(place: Place, byte: number): void {
  if (byte !== 0x22) throw notJson()
  place.expect = expectColon
  beginString(place)
}

function expectColon(place: Place, byte: number): void {
  stepOver(place, byte === 0x3a, expectValue)
}

function expectCommaInArray(place: Place, byte: number): void {
  if (byte === 0x5d) end(place)
  else stepOver(place, byte === 0x2c, expectValue)
}

function expectCommaInObject(place: Place, byte: number): void {
  if (byte === 0x7d) end(place)
  else stepOver(place, byte === 0x2c, expectKey)
}

function stepOver(place: Place, isRight: boolean, next: Place['expect']): void {
  if (!isRight) throw notJson()
  place.at += 1
  place.expect = next
}

function expectNothing(): void {
  throw notJson()
}

function begin(place: Place, container: Container): void {
  const depth = place.open.length
  if (depth === jsonDepthMax) throw refused(`at most ${jsonDepthMax} levels of nesting`)
  place.containers += 1
  if (place.containers > limits.containers) {
    throw refused(`at most ${limits.containers} arrays and objects`)
  }
  put(place, container)
  place.counts[depth] = 0
  place.open.push(container)
  place.at += 1
  place.expect = Array.isArray(container) ? expectFirstItem : expectFirstKey
}

function end(place: Place): void {
  place.open.pop()
  place.at += 1
  expectMore(place)
}

/** Puts a value where it belongs. */
function put(place: Place, value: JsonValue): void {
  place.values += 1
  if (place.values > limits.values) throw refused(`at most ${limits.values} values in all`)
  const container = place.open.at(-1)
  if (container === undefined) place.root = value
  else if (Array.isArray(container)) container.push(countIn(place, limits.items, value))
  else container[place.key] = countIn(place, limits.keys, value)
  expectMore(place)
}

/** Gives `value` back when the innermost container may hold one more. */
function countIn(place: Place, max: number, value: JsonValue): JsonValue {
  const index = place.open.length - 1
  const count = (place.counts[index] ?? 0) + 1
  if (count > max) throw refused(`at most ${max} values in one array or object`)
  place.counts[index] = count
  return value
}

function expectMore(place: Place): void {
  const container = place.open.at(-1)
  if (container === undefined) place.expect = expectNothing
  else place.expect = Array.isArray(container) ? expectCommaInArray : expectCommaInObject
}

function beginString(place: Place): void {
  place.at += 1
  readString(place)
}

/** Reads a string, as far as one step goes: a key where a colon is expected next, else a value. */
function readString(place: Place): void {
  const text = place.text + readPiece(place)
  if (!isAtQuote(place)) {
    place.text = text
    return
  }
  place.text = ''
  place.at += 1
  if (place.expect !== expectColon) put(place, text)
  else if (text === '__proto__') throw refused('no key "__proto__"')
  else place.key = text
}
