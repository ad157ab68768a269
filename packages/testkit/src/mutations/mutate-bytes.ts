import type { Random } from './random.ts'

type ByteMutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer

const odd = [
  ...['\u0000', '\u202e', '\u2066', '\u2028', '\u001b[2J', '\ufeff', '\r\n', '\n\n', '"', '\\'],
  ...['{', '}', '[', ']', ',', '__proto__', '%00', '../', '\ud83d'],
].map((text) => Buffer.from(text))
const notText = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4, 0xbd]]

const byteMutations: readonly [ByteMutation, ...ByteMutation[]] = [
  function flip(bytes, random) {
    const flipped = Buffer.from(bytes)
    for (let left = 1 + random.below(4); left > 0 && flipped.length > 0; left -= 1) {
      const at = random.below(flipped.length)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8))
    }
    return flipped
  },
  function cut(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length + 1))
  },
  function drop(bytes, random) {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(40))])
  },
  function repeat(bytes, random) {
    const at = random.below(bytes.length)
    const part = bytes.subarray(at, at + random.below(200))
    const times = random.next() < 0.05 ? 200 : 1
    return Buffer.concat([bytes.subarray(0, at), ...Array(times).fill(part), bytes.subarray(at)])
  },
  /** The beginning of one and the end of another. */
  function splice(bytes, random, other) {
    const [head, tail] = [random.below(bytes.length + 1), random.below(other.length + 1)]
    return Buffer.concat([bytes.subarray(0, head), other.subarray(tail)])
  },
  function insert(bytes, random) {
    const at = random.below(bytes.length + 1)
    const put = random.next() < 0.3 ? Buffer.from(random.of(notText) ?? []) : random.of(odd)
    return Buffer.concat([bytes.subarray(0, at), put ?? Buffer.alloc(0), bytes.subarray(at)])
  },
]

/** `bytes`, changed in one place; `other` is what a part may be taken from. */
export function mutateBytes(bytes: Buffer, random: Random, other: Buffer = bytes): Buffer {
  return random.of(byteMutations)(bytes, random, other)
}
