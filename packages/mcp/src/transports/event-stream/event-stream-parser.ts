import { GatheredBytes } from './gathered-bytes.ts'

export interface StreamEvent {
  /** `message` where the stream does not say. */
  type: string
  data: Buffer
}

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a
const space = 0x20
const byteOrderMark = Buffer.from('\ufeff')

/** Room for the name of the field before its value. */
const fieldNameBytes = 64

/** An id goes back to the server in a header, where there is no room for a longer one. */
const idBytesMax = 4_096

/** Reads an event stream (HTML standard, section 9.2.6) from its bytes, split anywhere. */
export class EventStreamParser {
  /** The id of the last complete event that had one. */
  lastEventId: string | undefined
  /** How long the server wants to be left alone before the stream is opened again. */
  retryMs: number | undefined
  /** How many comment lines there were: servers send them to show that they are alive. */
  comments = 0
  /** An event was larger than it may be: nothing more is read. */
  overflowed = false
  readonly #maxEventBytes: number
  readonly #rest = new GatheredBytes()
  readonly #data = new GatheredBytes()
  #hasData = false
  #type = ''
  #id: string | undefined
  #isFirstLine = true
  #mayBeginWithLf = false

  /** Data of more than `maxEventBytes` in one event stops it. */
  constructor({ maxEventBytes }: { maxEventBytes: number }) {
    this.#maxEventBytes = maxEventBytes
  }

  /** The events that `chunk` completes. */
  push(chunk: Buffer): StreamEvent[] {
    const events: StreamEvent[] = []
    let start = this.#skipLf(chunk, 0)
    let nextLf = chunk.indexOf(lf, start)
    let nextCr = chunk.indexOf(cr, start)
    while (!this.overflowed && (nextLf !== -1 || nextCr !== -1)) {
      const end = nextCr === -1 || (nextLf !== -1 && nextLf < nextCr) ? nextLf : nextCr
      const event = this.#readLine(chunk.subarray(start, end))
      if (event !== undefined) events.push(event)
      this.#mayBeginWithLf = end === nextCr
      start = this.#skipLf(chunk, end + 1)
      if (nextLf !== -1 && nextLf < start) nextLf = chunk.indexOf(lf, start)
      if (nextCr !== -1 && nextCr < start) nextCr = chunk.indexOf(cr, start)
    }
    this.#keepRest(chunk.subarray(start))
    return events
  }

  /** CR, LF and CRLF all end one line; the two bytes of CRLF may come in two chunks. */
  #skipLf(chunk: Buffer, start: number): number {
    if (!this.#mayBeginWithLf || start >= chunk.length) return start
    this.#mayBeginWithLf = false
    return chunk[start] === lf ? start + 1 : start
  }

  #keepRest(piece: Buffer): void {
    if (piece.length === 0 || this.overflowed) return
    const bytes = this.#rest.length + piece.length
    if (bytes > this.#maxEventBytes + fieldNameBytes) this.#overflow()
    else this.#rest.add(piece)
  }

  #readLine(end: Buffer): StreamEvent | undefined {
    let line = end
    if (this.#rest.length > 0) {
      this.#rest.add(end)
      line = this.#rest.take()
    }
    if (this.#isFirstLine) {
      this.#isFirstLine = false
      if (line.subarray(0, 3).equals(byteOrderMark)) line = line.subarray(3)
    }
    if (line.length === 0) return this.#endEvent()
    this.#readField(line)
    return undefined
  }

  #endEvent(): StreamEvent | undefined {
    if (this.#id !== undefined) this.lastEventId = this.#id === '' ? undefined : this.#id
    const event = this.#hasData
      ? { type: this.#type || 'message', data: this.#data.take() }
      : undefined
    this.#hasData = false
    this.#type = ''
    this.#id = undefined
    return event
  }

  #readField(line: Buffer): void {
    const at = line.indexOf(colon)
    if (at === 0) this.comments += 1
    else if (at === -1) this.#setField(line.toString('latin1', 0, 6), line.subarray(line.length))
    else if (at < 6) {
      const value = line.subarray(line[at + 1] === space ? at + 2 : at + 1)
      this.#setField(line.toString('latin1', 0, at), value)
    }
  }

  #setField(name: string, value: Buffer): void {
    if (name === 'data') this.#addData(value)
    else if (name === 'event') this.#type = value.toString()
    else if (name === 'id') this.#setId(value)
    else if (name === 'retry') this.#setRetry(value.toString('latin1'))
  }

  #addData(value: Buffer): void {
    this.#hasData = true
    if (this.#data.length + value.length > this.#maxEventBytes) this.#overflow()
    else this.#data.addLine(value)
  }

  #setId(value: Buffer): void {
    if (value.length <= idBytesMax && !value.includes(0)) this.#id = value.toString()
  }

  #setRetry(value: string): void {
    if (/^\d+$/.test(value)) this.retryMs = Number(value)
  }

  #overflow(): void {
    this.overflowed = true
    this.#rest.take()
    this.#data.take()
  }
}
