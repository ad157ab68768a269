import { type Chunk, parsePattern, type Unit } from './pattern-parser.ts'

const slash = 0x2f

/**
 * Makes a pattern ready, with the answers of Go's `path.Match` to the letter: `*` and `?` stop at
 * `/`, a class `[^a]` does not, and a part behind a `*` is taken where it first fits, for good.
 * That bounds the work to name × pattern. As in Go a `*` may end inside the UTF-8 of a character,
 * whose other bytes then count as characters. A pattern that cannot be read matches nothing.
 */
export function compilePattern(pattern: string): (name: string) => boolean {
  const chunks = parsePattern(pattern)
  if (chunks === undefined) return () => false
  const encoder = new TextEncoder()
  return (name) => matches(chunks, encoder.encode(name))
}

function matches(chunks: readonly Chunk[], name: Uint8Array): boolean {
  let at: number | undefined = 0
  for (const [index, chunk] of chunks.entries()) {
    at = findChunk(chunk, name, { from: at, toEnd: index === chunks.length - 1 })
    if (at === undefined) return false
  }
  return at === name.length
}

/** Where the chunk ends that begins at `from`, or after what its `*` may skip. */
function findChunk(
  { star, units }: Chunk,
  name: Uint8Array,
  { from, toEnd }: { from: number; toEnd: boolean },
): number | undefined {
  for (let start = from; ; start++) {
    const end = matchUnits(units, name, start)
    if (end !== undefined && (!toEnd || end === name.length)) return end
    if (!star || start === name.length || name[start] === slash) return undefined
  }
}

function matchUnits(units: readonly Unit[], name: Uint8Array, start: number): number | undefined {
  let at = start
  for (const unit of units) {
    const width = matchUnit(unit, name, at)
    if (width === 0) return undefined
    at += width
  }
  return at
}

/** How many bytes the unit takes at `at`; 0 when it does not match there. */
function matchUnit(unit: Unit, name: Uint8Array, at: number): number {
  const byte = name[at]
  if (byte === undefined) return 0
  if (unit.kind === 'byte') return byte === unit.byte ? 1 : 0
  if (unit.kind === 'any') return byte === slash ? 0 : widthOf(byte)
  const rune = runeAt(name, at)
  const isListed = unit.ranges.some(([low, high]) => low <= rune && rune <= high)
  return isListed === unit.negated ? 0 : widthOf(byte)
}

/** The length of the character that begins with `byte`; 1 for a byte inside of one. */
function widthOf(byte: number): number {
  if (byte < 0xc0) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}

function runeAt(name: Uint8Array, at: number): number {
  const [first = 0, ...rest] = name.subarray(at, at + widthOf(name[at] ?? 0))
  if (first < 0x80) return first
  if (rest.length === 0) return 0xfffd
  const leading = first & (0xff >> (rest.length + 2))
  return rest.reduce((rune, byte) => (rune << 6) | (byte & 0x3f), leading)
}
