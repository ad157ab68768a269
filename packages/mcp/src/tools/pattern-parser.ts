/** One step of a pattern: a byte, any character but `/`, or a character of a class. */
export type Unit =
  | { kind: 'byte'; byte: number }
  | { kind: 'any' }
  | { kind: 'class'; negated: boolean; ranges: [low: number, high: number][] }

/** What stands between two `*`; `star` says that one stands before it. */
export interface Chunk {
  star: boolean
  units: Unit[]
}

interface Reader {
  chars: string[]
  at: number
}

/** Reads a pattern in the syntax of Go's `path.Match`; `undefined` when it is not in it. */
export function parsePattern(pattern: string): Chunk[] | undefined {
  const reader = { chars: [...pattern.toWellFormed()], at: 0 }
  const chunks: Chunk[] = []
  while (reader.at < reader.chars.length) {
    const star = skipStars(reader)
    const units = readUnits(reader)
    if (units === undefined) return undefined
    chunks.push({ star, units })
  }
  return chunks
}

function skipStars(reader: Reader): boolean {
  const start = reader.at
  while (reader.chars[reader.at] === '*') reader.at += 1
  return reader.at > start
}

function readUnits(reader: Reader): Unit[] | undefined {
  const units: Unit[] = []
  while (reader.at < reader.chars.length && reader.chars[reader.at] !== '*') {
    const read = readUnit(reader)
    if (read === undefined) return undefined
    units.push(...read)
  }
  return units
}

function readUnit(reader: Reader): Unit[] | undefined {
  const char = next(reader)
  if (char === '?') return [{ kind: 'any' }]
  if (char === '[') return readClass(reader)
  const literal = char === '\\' ? next(reader) : char
  if (literal === undefined) return undefined
  return [...new TextEncoder().encode(literal)].map((byte) => ({ kind: 'byte', byte }))
}

function readClass(reader: Reader): Unit[] | undefined {
  const negated = reader.chars[reader.at] === '^'
  if (negated) reader.at += 1
  const ranges: [number, number][] = []
  do {
    const low = readClassChar(reader)
    const high = reader.chars[reader.at] === '-' ? readRangeEnd(reader) : low
    if (low === undefined || high === undefined) return undefined
    ranges.push([low, high])
  } while (reader.chars[reader.at] !== ']')
  reader.at += 1
  return [{ kind: 'class', negated, ranges }]
}

function readRangeEnd(reader: Reader): number | undefined {
  reader.at += 1
  return readClassChar(reader)
}

/** A hyphen or a bracket stands in a class only behind a backslash. */
function readClassChar(reader: Reader): number | undefined {
  const char = next(reader)
  if (char === '-' || char === ']') return undefined
  return (char === '\\' ? next(reader) : char)?.codePointAt(0)
}

function next(reader: Reader): string | undefined {
  const char = reader.chars[reader.at]
  reader.at += 1
  return char
}
