import { createHash } from 'node:crypto'

/** A number for each byte, without order. */
const gear = new Int32Array(
  new Uint8Array(createHash('shake256', { outputLength: 1024 }).update('parts').digest()).buffer,
)
/** Values above this are cut into parts sixteen times as large. */
const large = 4 * 1024 * 1024

/**
 * Cuts bytes where what stands before says so, not at a count: what two values have in common
 * falls into equal parts wherever it stands in them. A part has about 4 KiB, and never more than
 * 16 KiB; of a large value 64 and 256. The last one ends where the value does.
 */
export function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  const bits = bytes.length > large ? 16 : 12
  const [least, most] = [2 ** (bits - 2), 2 ** (bits + 2)]
  let start = 0
  // Shifted on with each byte, it knows of the last 32.
  let hash = 0
  for (let end = 1; end < bytes.length; end += 1) {
    hash = (hash << 1) + gear[bytes[end - 1]!]!
    const size = end - start
    if (size < least || (hash >>> (32 - bits) !== 0 && size < most)) continue
    yield bytes.subarray(start, end)
    start = end
  }
  yield bytes.subarray(start)
}
