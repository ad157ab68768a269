/** The pieces of a line whose end has not come, without a copy of those that are large. */
export interface HeldPieces {
  size(): number
  add(piece: Buffer): void
  /** All pieces with `last` behind them; nothing is held afterwards. */
  take(last: Buffer): Buffer[]
}

const blockBytes = 64 * 1024
const smallBytes = 4 * 1024
const keptAsTheyAre = 8

/**
 * Small pieces are copied together into blocks: a line that comes byte by byte would else take a
 * hundred times its size. Not the first few, which is what ordinary lines come in.
 */
export function createHeldPieces(): HeldPieces {
  let pieces: Buffer[] = []
  let size = 0
  let block: Buffer | undefined
  let listed = 0
  let used = 0

  function copy(piece: Buffer): void {
    if (block === undefined || used + piece.length > block.length) {
      listBlock()
      block = Buffer.allocUnsafeSlow(blockBytes)
      listed = 0
      used = 0
    }
    used += piece.copy(block, used)
  }

  /** Puts what is new in the block behind the other pieces. */
  function listBlock(): void {
    if (block !== undefined && used > listed) pieces.push(block.subarray(listed, used))
    listed = used
  }

  function add(piece: Buffer): void {
    size += piece.length
    if (pieces.length >= keptAsTheyAre && piece.length < smallBytes) {
      copy(piece)
    } else {
      listBlock()
      pieces.push(piece)
    }
  }

  return {
    size: () => size,
    add,
    take(last) {
      add(last)
      listBlock()
      const taken = pieces
      pieces = []
      size = 0
      block = undefined
      listed = 0
      used = 0
      return taken
    },
  }
}
