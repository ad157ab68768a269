import { createHeldPieces } from './held-pieces.ts'

/** What comes out of the bytes: lines, and what is told of one that is too large. */
export type Line =
  /** Without its new line; more than one piece where it came in several. */
  | { kind: 'line'; bytes: Buffer | readonly Buffer[] }
  /** The limit was passed: how the line began. What is left of it is skipped. */
  | { kind: 'too_large'; head: Buffer }
  /** The end of that line has come: how it ended. */
  | { kind: 'too_large_end'; tail: Buffer }

/**
 * Cuts a stream of bytes into lines of at most `maxBytes`. Each byte is looked at once and copied
 * at most once, however the stream is cut; of a line that is too large only the ends are kept.
 */
export interface LineSplitter {
  /** Only when `next` has nothing more to give. */
  push(chunk: Buffer): void
  next(): Line | undefined
}

const newline = 0x0a
const endBytes = 512
/** No more of those held are small than the first few: in so many there are `endBytes`. */
const endPieces = 16
const empty = Buffer.alloc(0)

export function createLineSplitter({ maxBytes }: { maxBytes: number }): LineSplitter {
  const held = createHeldPieces()
  let chunk: Buffer = empty
  let from = 0
  let tail: Buffer | undefined

  function next(): Line | undefined {
    if (from >= chunk.length) return undefined
    const at = chunk.indexOf(newline, from)
    const piece = chunk.subarray(from, at === -1 ? chunk.length : at)
    from = at === -1 ? chunk.length : at + 1
    if (tail !== undefined) return skip(piece, at !== -1)
    if (held.size() + piece.length > maxBytes) return refuse(piece, at)
    if (at !== -1) return { kind: 'line', bytes: held.size() === 0 ? piece : held.take(piece) }
    held.add(piece)
    return undefined
  }

  function refuse(piece: Buffer, newlineAt: number): Line {
    const pieces = held.take(piece)
    tail = pieces.slice(-endPieces).reduce(lastOf, empty)
    if (newlineAt !== -1) from = newlineAt
    return { kind: 'too_large', head: pieces.slice(0, endPieces).reduce(firstOf, empty) }
  }

  function skip(piece: Buffer, isEnd: boolean): Line | undefined {
    const end = lastOf(tail ?? empty, piece)
    tail = isEnd ? undefined : end
    return isEnd ? { kind: 'too_large_end', tail: end } : undefined
  }

  return {
    push(given) {
      chunk = given
      from = 0
    },
    next,
  }
}

// Both are copies: they must not hold the whole chunk.

function firstOf(before: Buffer, piece: Buffer): Buffer {
  return Buffer.concat([before, piece.subarray(0, endBytes - before.length)])
}

function lastOf(before: Buffer, piece: Buffer): Buffer {
  const room = Math.max(0, endBytes - piece.length)
  const kept = room === 0 ? empty : before.subarray(-room)
  return Buffer.concat([kept, piece.subarray(-endBytes)])
}
