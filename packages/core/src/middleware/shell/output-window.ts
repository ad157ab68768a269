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
  const tail: Uint8Array[] = []
  let inHead = 0
  let inTail = 0
  let total = 0

  function pushTail(bytes: Uint8Array): void {
    tail.push(bytes)
    inTail += bytes.length
    while (inTail - (tail[0]?.length ?? 0) >= tailBytes) inTail -= tail.shift()?.length ?? 0
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
      const end = Buffer.concat(tail).subarray(-tailBytes)
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
