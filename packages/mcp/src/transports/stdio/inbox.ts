import type { Readable } from 'node:stream'
import type { Sorted } from '../../rpc/messages.ts'
import { readMessageBytes } from '../../rpc/read-message-bytes.ts'
import { createTimeSlice } from '../../rpc/time-slice.ts'
import type { Confidences } from '../shared/confidences.ts'
import type { OversizedLines } from '../shared/oversized-lines.ts'
import { createLineSplitter, type Line } from './line-splitter.ts'

/** Reads what the server writes, from beginning to end. */
export interface Inbox {
  /** Settles when there is nothing more to come; never rejects. */
  readonly ended: Promise<void>
  /** How many chunks have been read. */
  chunks(): number
  /** Whether the last of them is still being worked on. */
  isWorking(): boolean
}

export interface InboxNeeds {
  stream: Readable
  maxBytes: number
  /** Once aborted, what comes is read and thrown away. */
  signal: AbortSignal
  oversized: OversizedLines
  /** What junk is told without. */
  confidences: Confidences
  onMessage(message: Sorted): void
  warn(text: string): void
}

/**
 * The one reader of a process. The stream waits while a large message is being worked on, so that
 * messages keep their order and no more than one chunk is held.
 */
export function createInbox(needs: InboxNeeds): Inbox {
  const { stream, signal, oversized, confidences, onMessage, warn } = needs
  const splitter = createLineSplitter(needs)
  const slice = createTimeSlice()
  let chunks = 0
  let isWorking = false

  async function readAll(): Promise<void> {
    for await (const chunk of stream) {
      chunks += 1
      if (signal.aborted) continue
      isWorking = true
      await readChunk(chunk)
      isWorking = false
    }
  }

  async function readChunk(chunk: Buffer): Promise<void> {
    splitter.push(chunk)
    for (let line = splitter.next(); line && !signal.aborted; line = splitter.next()) {
      const reading = takeLine(line)
      if (reading !== undefined) await reading
      if (slice.isOver()) await slice.next()
    }
  }

  function takeLine(line: Line): Promise<void> | undefined {
    if (line.kind === 'too_large') oversized.begin(line.head)
    else if (line.kind === 'too_large_end') oversized.end(line.tail)
    else return takeBytes(line.bytes)
    return undefined
  }

  function takeBytes(bytes: Buffer | readonly Buffer[]): Promise<void> | undefined {
    if (isPlainlyJunk(bytes)) {
      warnOfJunk(bytes)
      return undefined
    }
    try {
      const read = readMessageBytes(bytes, { signal })
      if (!Array.isArray(read)) return takeSlowly(read, bytes)
      for (const message of read) deliver(message)
    } catch {
      warnOfJunk(bytes)
    }
    return undefined
  }

  async function takeSlowly(
    reading: Promise<Sorted[]>,
    bytes: Buffer | readonly Buffer[],
  ): Promise<void> {
    try {
      for (const message of await reading) {
        if (slice.isOver()) await slice.next()
        if (signal.aborted) return
        deliver(message)
      }
    } catch {
      if (!signal.aborted) warnOfJunk(bytes)
    }
  }

  /** Whatever a handler does, the next message is read. */
  function deliver(message: Sorted): void {
    try {
      onMessage(message)
    } catch (error) {
      warn(`a message of the server could not be handled: ${error}`)
    }
  }

  function warnOfJunk(bytes: Buffer | readonly Buffer[]): void {
    const told = confidences.inBeginning(toBeginning(bytes), junkCharsTold)
    const beginning = JSON.stringify(told).replace(/[\p{Cc}\u2028\u2029]/gu, '')
    warn(`the server wrote a line that is no JSON-RPC message; skipped: ${beginning}`)
  }

  // A stream that breaks off has ended, as far as what can be read is concerned.
  const ended = readAll().catch(() => {})
  return { ended, chunks: () => chunks, isWorking: () => isWorking }
}

/** Of junk so much is told; more of it is looked at, for what stands where it is cut. */
const junkCharsTold = 120
const junkBytesSeen = 16 * 1024

function toBeginning(bytes: Buffer | readonly Buffer[]): string {
  const whole = Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes, junkLength(bytes))
  return whole.toString('utf8', 0, junkBytesSeen)
}

function junkLength(pieces: readonly Buffer[]): number {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return Math.min(length, junkBytesSeen)
}

const skipped = new Set([0x20, 0x09, 0x0d, ...Buffer.from('\ufeff')])

/** A line of a log, as most junk is: it is told without the cost of an error. */
function isPlainlyJunk(bytes: Buffer | readonly Buffer[]): boolean {
  const first = Buffer.isBuffer(bytes) ? bytes : bytes[0]
  const begin = first?.find((byte) => !skipped.has(byte))
  return begin !== undefined && begin !== 0x7b && begin !== 0x5b
}
