const headBytes = 4
const empty = Buffer.alloc(0)

/** A message as bytes: its length, then itself as JSON. */
export function toFrame(message: object): Buffer {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(headBytes + length)
  frame.writeUInt32LE(length)
  frame.write(text, headBytes)
  return frame
}

/** Puts frames together from the pieces in which a pipe brings them. */
export interface FrameReader {
  /** The messages that are complete with `piece`. Throws where one is longer than `mostBytes`. */
  push(piece: Buffer): unknown[]
}

export function createFrameReader({ mostBytes }: { mostBytes: number }): FrameReader {
  let pieces: Buffer[] = []
  let held = 0
  let wanted = headBytes

  function take(length: number): Buffer {
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    const rest = all.subarray(length)
    pieces = rest.length > 0 ? [rest] : []
    held = rest.length
    return length > 0 ? all.subarray(0, length) : empty
  }

  return {
    push(piece) {
      const messages: unknown[] = []
      let inBody = wanted !== headBytes
      pieces.push(piece)
      held += piece.length
      while (held >= wanted) {
        const bytes = take(wanted)
        if (inBody) messages.push(JSON.parse(bytes.toString('utf8')))
        wanted = inBody ? headBytes : bytes.readUInt32LE()
        inBody = !inBody
        if (wanted > mostBytes) throw new RangeError(`a message of ${wanted} bytes`)
      }
      return messages
    },
  }
}
