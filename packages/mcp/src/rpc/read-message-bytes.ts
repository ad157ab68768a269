import { createJsonReader } from './json-reader.ts'
import { type Sorted, sortMessage } from './messages.ts'
import { notJsonRpc, readMessages } from './read-messages.ts'
import { takeRefused } from './take-refused.ts'
import { createTimeSlice, type TimeSlice } from './time-slice.ts'

/** Up to here the native parser takes a few milliseconds, whatever the text (measured: 10). */
const atOnceBytes = 64 * 1024
const joinBytes = 1024 * 1024

/**
 * As `readMessages`, from the bytes of one line, body or event, whole or in the pieces in which
 * they came; a byte order mark before them is skipped. A message of more than 64 KiB is read in
 * slices between which other work goes on: then a promise is given. Rejects with the reason of
 * `signal` when that aborts meanwhile.
 */
export function readMessageBytes(
  bytes: Buffer | readonly Buffer[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): Sorted[] | Promise<Sorted[]> {
  if (Buffer.isBuffer(bytes)) return readWhole(bytes, signal)
  const size = bytes.reduce((sum, piece) => sum + piece.length, 0)
  if (size <= atOnceBytes) return readWhole(Buffer.concat(bytes, size), signal)
  return readPieces({ pieces: bytes, size, signal })
}

function readWhole(bytes: Buffer, signal: AbortSignal | undefined): Sorted[] | Promise<Sorted[]> {
  if (bytes.length <= atOnceBytes) return readMessages(bytes.toString('utf8', startOf(bytes)))
  return readInSlices(bytes, { slice: createTimeSlice(), signal })
}

interface Work {
  slice: TimeSlice
  signal: AbortSignal | undefined
}

async function readPieces(needs: {
  pieces: readonly Buffer[]
  size: number
  signal: AbortSignal | undefined
}): Promise<Sorted[]> {
  const work = { slice: createTimeSlice(), signal: needs.signal }
  const whole = Buffer.allocUnsafeSlow(needs.size)
  let at = 0
  for (const piece of needs.pieces) {
    for (let from = 0; from < piece.length; from += joinBytes) {
      at += piece.copy(whole, at, from, from + joinBytes)
      if (work.slice.isOver()) await pause(work)
    }
  }
  return readInSlices(whole, work)
}

async function readInSlices(bytes: Buffer, work: Work): Promise<Sorted[]> {
  const reader = createJsonReader(bytes.subarray(startOf(bytes)))
  try {
    while (!reader.readOn(work.slice.isOver)) await pause(work)
  } catch (cause) {
    work.signal?.throwIfAborted()
    return [takeRefused(bytes, cause)]
  }
  return sortInSlices(reader.value(), work)
}

async function sortInSlices(value: unknown, work: Work): Promise<Sorted[]> {
  const sorted: Sorted[] = []
  for (const part of Array.isArray(value) ? value : [value]) {
    const message = sortMessage(part)
    if (message !== undefined) sorted.push(message)
    if (work.slice.isOver()) await pause(work)
  }
  if (sorted.length === 0) throw notJsonRpc()
  return sorted
}

async function pause({ slice, signal }: Work): Promise<void> {
  await slice.next()
  signal?.throwIfAborted()
}

/** Behind a byte order mark, which some servers write before their first message. */
function startOf(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}
