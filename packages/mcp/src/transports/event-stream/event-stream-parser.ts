import { GatheredBytes } from './gathered-bytes.ts'

export type StreamEvent =
  /** `type` is `message` where the stream does not say. */
  | { kind: 'event'; type: string; data: Buffer }
  /** An event is larger than it may be: how it begins. The rest of it is skipped. */
  | { kind: 'oversized'; head: Buffer }
  /** That event has ended, so. */
  | { kind: 'skipped'; tail: Buffer }

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a
const space = 0x20
const byteOrderMark = Buffer.from('\ufeff')

/** Room for the name of the field before its value. */
const fieldNameBytes = 64

/** An id goes back to the server in a header, where there is no room for a longer one. */
const idBytesMax = 4_096

/** Of an event that is skipped so much is told, of its beginning and of its end. */
const glimpseBytes = 512

/** Reads an event stream (HTML standard, section 9.2.6) from its bytes, split anywhere. */
export class EventStreamParser {
  /** The id of the last complete event that had one. */
  lastEventId: string | undefined
  /** How long the server wants to be left alone before the stream is opened again. */
  retryMs: number | undefined
  /** How many comment lines there were: servers send them to show that they are alive. */
  comments = 0
  readonly #maxEventBytes: number
  readonly #rest = new GatheredBytes()
  readonly #data = new GatheredBytes()
  #events: StreamEvent[] = []
  #hasData = false
  #type = ''
  #id: string | undefined
  #isFirstLine = true
  #isComment = false
  #mayBeginWithLf = false
  /** The last bytes of the event that is being skipped. */
  #tail: Buffer | undefined

  /** An event with more data than `maxEventBytes` is skipped. */
  constructor({ maxEventBytes }: { maxEventBytes: number }) {
    this.#maxEventBytes = maxEventBytes
  }

  /** What `chunk` completes. */
  push(chunk: Buffer): StreamEvent[] {
    this.#events = []
    let start = this.#skipLf(chunk, 0)
    let nextLf = chunk.indexOf(lf, start)
    let nextCr = chunk.indexOf(cr, start)
    while (nextLf !== -1 || nextCr !== -1) {
      const end = nextCr === -1 || (nextLf !== -1 && nextLf < nextCr) ? nextLf : nextCr
      this.#readLine(chunk.subarray(start, end))
      this.#mayBeginWithLf = end === nextCr
      start = this.#skipLf(chunk, end + 1)
      if (nextLf !== -1 && nextLf < start) nextLf = chunk.indexOf(lf, start)
      if (nextCr !== -1 && nextCr < start) nextCr = chunk.indexOf(cr, start)
    }
    if (start < chunk.length) this.#keepRest(chunk.subarray(start))
    return this.#events
  }

  /** CR, LF and CRLF all end one line; the two bytes of CRLF may come in two chunks. */
  #skipLf(chunk: Buffer, start: number): number {
    if (!this.#mayBeginWithLf || start >= chunk.length) return start
    this.#mayBeginWithLf = false
    return chunk[start] === lf ? start + 1 : start
  }

  /**
   * Of a comment, and of an event that is skipped, it is enough to know that the line has begun.
   */
  #keepRest(piece: Buffer): void {
    const { length } = this.#rest
    if (this.#tail !== undefined) this.#tail = lastOf(this.#tail, piece)
    if (length === 0) this.#isComment = piece[0] === colon
    if (this.#isComment || this.#tail !== undefined) {
      if (length === 0) this.#rest.add(piece.subarray(0, 1))
      return
    }
    this.#rest.add(piece)
    if (!this.#isTooLong(this.#rest)) return
    const line = this.#rest.take()
    this.#skipEvent(behindColon(line, line.indexOf(colon)))
    this.#rest.add(line.subarray(0, 1))
  }

  #readLine(end: Buffer): void {
    let line = end
    if (this.#rest.length > 0) {
      this.#rest.add(end)
      line = this.#rest.take()
    }
    if (this.#isFirstLine) {
      this.#isFirstLine = false
      if (line.subarray(0, 3).equals(byteOrderMark)) line = line.subarray(3)
    }
    if (line.length === 0) this.#endEvent()
    else if (this.#tail !== undefined) this.#tail = lastOf(this.#tail, end)
    else this.#readField(line)
  }

  #endEvent(): void {
    if (this.#id !== undefined) this.lastEventId = this.#id === '' ? undefined : this.#id
    if (this.#tail !== undefined) this.#events.push({ kind: 'skipped', tail: this.#tail })
    else if (this.#hasData) {
      const type = this.#type || 'message'
      this.#events.push({ kind: 'event', type, data: this.#data.take() })
    }
    this.#hasData = false
    this.#type = ''
    this.#id = undefined
    this.#tail = undefined
  }

  #readField(line: Buffer): void {
    const at = line.indexOf(colon)
    if (at === 0) this.comments += 1
    else if (this.#isTooLong(line)) this.#skipEvent(behindColon(line, at))
    else if (at === -1) this.#setField(line.toString('latin1', 0, 6), line.subarray(line.length))
    else if (at < 6) this.#setField(line.toString('latin1', 0, at), behindColon(line, at))
  }

  #isTooLong({ length }: { length: number }): boolean {
    return length > this.#maxEventBytes + fieldNameBytes
  }

  #setField(name: string, value: Buffer): void {
    if (name === 'data') this.#addData(value)
    else if (name === 'event') this.#type = value.toString()
    else if (name === 'id') this.#setId(value)
    else if (name === 'retry') this.#setRetry(value.toString('latin1'))
  }

  #addData(value: Buffer): void {
    this.#hasData = true
    if (this.#data.length + value.length > this.#maxEventBytes) this.#skipEvent(value)
    else this.#data.addLine(value)
  }

  #setId(value: Buffer): void {
    if (value.length <= idBytesMax && !value.includes(0)) this.#id = value.toString()
  }

  #setRetry(value: string): void {
    if (/^\d+$/.test(value)) this.retryMs = Number(value)
  }

  /** `value` is what was too much. */
  #skipEvent(value: Buffer): void {
    const data = this.#data.take()
    const head = (data.length > 0 ? data : value).subarray(0, glimpseBytes)
    this.#events.push({ kind: 'oversized', head: Buffer.from(head) })
    this.#tail = lastOf(data, value)
  }
}

function behindColon(line: Buffer, colonAt: number): Buffer {
  return line.subarray(line[colonAt + 1] === space ? colonAt + 2 : colonAt + 1)
}

function lastOf(before: Buffer, piece: Buffer): Buffer {
  const all = piece.length >= glimpseBytes ? piece : Buffer.concat([before, piece])
  return Buffer.from(all.subarray(-glimpseBytes))
}
