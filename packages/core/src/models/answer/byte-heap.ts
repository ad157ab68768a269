/** So many pieces are put together as one: small ones would weigh more than what they hold. */
const together = 256

/** Bytes that come in pieces, to be taken as one. */
export class ByteHeap {
  length = 0
  #blocks: Buffer[] = []
  #pieces: Buffer[] = []

  add(piece: Buffer): void {
    this.length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length < together) return
    this.#blocks.push(Buffer.concat(this.#pieces))
    this.#pieces = []
  }

  /** All of them as text; nothing is left. */
  take(): string {
    const text = Buffer.concat([...this.#blocks, ...this.#pieces]).toString()
    this.length = 0
    this.#blocks = []
    this.#pieces = []
    return text
  }
}
