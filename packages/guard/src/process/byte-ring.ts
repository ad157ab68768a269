/** Keeps the last `size` bytes pushed into it, in memory taken once. */
export interface ByteRing {
  push(chunk: Buffer): void
  /** What is kept, oldest first, as text; half a character at its start is left out. */
  text(): string
}

export function createByteRing(size: number): ByteRing {
  const bytes = Buffer.alloc(size)
  let end = 0
  let full = false

  return {
    push(chunk) {
      const from = Math.max(0, chunk.length - size)
      const first = chunk.copy(bytes, end, from)
      chunk.copy(bytes, 0, from + first)
      const length = chunk.length - from
      full ||= end + length >= size
      end = size === 0 ? 0 : (end + length) % size
    },
    text() {
      if (!full) return bytes.toString('utf8', 0, end)
      const ordered = Buffer.concat([bytes.subarray(end), bytes.subarray(0, end)])
      return ordered.toString('utf8', continuationBytes(ordered))
    },
  }
}

function continuationBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}
