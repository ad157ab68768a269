const newline = Buffer.from('\n')

/**
 * Bytes that come in pieces. A single piece is not copied; of many small ones not each is kept, so
 * that memory stays within twice what was added.
 */
export class GatheredBytes {
  length = 0
  #bytes: Buffer | undefined
  #lines = 0

  add(piece: Buffer): void {
    if (this.#bytes === undefined) this.#bytes = piece
    else {
      // A piece that was given is full: nothing is ever written behind it.
      const needed = this.length + piece.length
      if (needed > this.#bytes.length) this.#bytes = grow(this.#bytes, this.length, needed)
      piece.copy(this.#bytes, this.length)
    }
    this.length += piece.length
  }

  /** Adds `piece` as a further line. */
  addLine(piece: Buffer): void {
    if (this.#lines > 0) this.add(newline)
    this.#lines += 1
    this.add(piece)
  }

  /** Everything added since the last time. */
  take(): Buffer {
    const taken = this.#bytes?.subarray(0, this.length) ?? Buffer.alloc(0)
    this.#bytes = undefined
    this.length = 0
    this.#lines = 0
    return taken
  }
}

function grow(bytes: Buffer, length: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(1_024, needed * 2))
  bytes.copy(larger, 0, 0, length)
  return larger
}
