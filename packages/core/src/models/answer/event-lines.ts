import { AppError } from '@dataagent/schema'
import { ByteHeap } from './byte-heap.ts'

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a
const space = 0x20
const brace = 0x7b

/** The longest line, and the most data of one event, with an end for each of its lines. */
const lineMax = 4 * 1024 * 1024

/**
 * Takes the data out of an event stream (HTML standard, section 9.2.6) that comes in pieces. Names
 * and ids of events are passed over: models say it all in the data. A line that is bare JSON is
 * taken for data, as some servers report their errors so.
 */
export class EventLines {
  readonly #take: (data: string) => void
  readonly #rest = new ByteHeap()
  /** The data of the event under way, in lines. */
  #lines: string[] = []
  #length = 0
  #isFirst = true

  /** `take` is called with the data of each event. */
  constructor(take: (data: string) => void) {
    this.#take = take
  }

  /** Throws `upstream_failed` for a line that is too long, and what `take` throws. */
  push(chunk: Buffer): void {
    // A newline is never a part of another character: up to one, the bytes are whole text.
    const end = chunk.lastIndexOf(lf) + 1
    if (end > 0) this.#read(this.#textBefore(chunk, end))
    if (end < chunk.length) this.#keep(end === 0 ? chunk : chunk.subarray(end))
  }

  /** The stream has ended: what stands there without a newline counts, too. */
  end(): void {
    if (this.#rest.length > 0) this.#read(`${this.#rest.take()}\n`)
    this.#dispatch()
  }

  #keep(piece: Buffer): void {
    this.#rest.add(piece)
    if (this.#rest.length > lineMax) throw tooLong()
  }

  #textBefore(chunk: Buffer, end: number): string {
    if (this.#rest.length === 0) return chunk.toString('utf8', 0, end)
    this.#rest.add(chunk.subarray(0, end))
    return this.#rest.take()
  }

  /** `given` ends with a newline. */
  #read(given: string): void {
    let text = given
    if (this.#isFirst) {
      this.#isFirst = false
      if (text.startsWith('\ufeff')) text = text.slice(1)
    }
    let start = 0
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
      const end = at > start && text.charCodeAt(at - 1) === cr ? at - 1 : at
      this.#readLine(text, start, end)
      start = at + 1
    }
  }

  #readLine(text: string, start: number, end: number): void {
    if (start === end) this.#dispatch()
    else if (text.startsWith('data', start) && text.charCodeAt(start + 4) === colon) {
      const from = text.charCodeAt(start + 5) === space ? start + 6 : start + 5
      this.#add(text.slice(from, Math.max(from, end)))
    } else if (text.charCodeAt(start) === brace) this.#add(text.slice(start, end))
  }

  #add(value: string): void {
    const last = this.#lines.at(-1)
    if (last !== undefined && isNext(last, value)) this.#dispatch()
    this.#lines.push(value)
    this.#length += value.length + 1
    if (this.#length > lineMax && this.#lines.length > 1) throw tooLong()
  }

  #dispatch(): void {
    if (this.#lines.length === 0) return
    const data = this.#lines.join('\n')
    this.#lines = []
    this.#length = 0
    this.#take(data)
  }
}

/** Whether `value` begins another event: some servers leave the blank line out. */
function isNext(last: string, value: string): boolean {
  return value === '[DONE]' || (last.endsWith('}') && value.charCodeAt(0) === brace)
}

function tooLong(): AppError {
  return new AppError('upstream_failed', `The model sent a line of more than ${lineMax} bytes.`)
}
