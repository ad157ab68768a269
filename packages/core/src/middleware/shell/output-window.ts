/** Keeps the beginning and the end of an output, whatever its length. */
export interface OutputWindow {
  push(chunk: Uint8Array): void
  /** All bytes that came. */
  readonly total: number
  /** What was kept, with a mark where something is missing. */
  text(): string
}

/** Makes a window of `headBytes` and `tailBytes`. */
export function createOutputWindow(headBytes: number, tailBytes: number): OutputWindow {
  const head: Uint8Array[] = []
  /** A ring: the byte after the last is overwritten next. */
  const tail = Buffer.alloc(tailBytes)
  let inHead = 0
  let total = 0

  function pushTail(bytes: Uint8Array): void {
    const kept = bytes.subarray(-tailBytes)
    const at = (total - inHead - kept.length) % tailBytes
    const first = kept.subarray(0, tailBytes - at)
    tail.set(first, at)
    tail.set(kept.subarray(first.length), 0)
  }

  function readTail(): Buffer {
    const count = total - inHead
    if (count <= tailBytes) return tail.subarray(0, count)
    const at = count % tailBytes
    return Buffer.concat([tail.subarray(at), tail.subarray(0, at)])
  }

  return {
    push(chunk) {
      total += chunk.length
      const first = chunk.subarray(0, headBytes - inHead)
      if (first.length > 0) head.push(first)
      inHead += first.length
      if (first.length < chunk.length) pushTail(chunk.subarray(first.length))
    },
    get total() {
      return total
    },
    text() {
      const end = readTail()
      const missing = total - inHead - end.length
      if (missing === 0) return toText(Buffer.concat([...head, end]))
      const mark = `\n[… ${missing} bytes left out …]\n`
      return toText(Buffer.concat(head)) + mark + toText(end)
    },
  }
}

/** A character that was cut in two is left out. */
function toText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufffd{1,3}|\ufffd{1,3}$/g, '')
}
