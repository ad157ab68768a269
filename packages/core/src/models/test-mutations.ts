/** Numbers from 0 to 1, the same for the same seed (xorshift). */
export function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

const values = [
  'null',
  '[]',
  '{}',
  '""',
  '-1',
  '1e999',
  '"\\ud800"',
  '[DONE]',
  '[[[[',
  '{"a":',
  'true',
  '"\u0000"',
  '999999999',
]

type Mutation = (bytes: Buffer, random: () => number) => Buffer

const mutations: readonly Mutation[] = [
  function flip(bytes, random) {
    const flipped = Buffer.from(bytes)
    for (let i = 0; i < 1 + random() * 4; i += 1) {
      const at = pick(flipped.length, random)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << pick(8, random))
    }
    return flipped
  },
  function cut(bytes, random) {
    return bytes.subarray(0, pick(bytes.length + 1, random))
  },
  function drop(bytes, random) {
    const at = pick(bytes.length, random)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + pick(40, random))])
  },
  function repeat(bytes, random) {
    const at = pick(bytes.length, random)
    const end = at + pick(200, random)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
  },
  function repeatEvent(bytes, random) {
    const events = bytes.toString().split(/(?<=\n\n)/)
    const event = events[pick(events.length, random)] ?? ''
    events.splice(pick(events.length + 1, random), 0, event)
    return Buffer.from(events.join(''))
  },
  function swapEvents(bytes, random) {
    const events = bytes.toString().split(/(?<=\n\n)/)
    const [event = ''] = events.splice(pick(events.length, random), 1)
    events.splice(pick(events.length + 1, random), 0, event)
    return Buffer.from(events.join(''))
  },
  function replaceValue(bytes, random) {
    const text = bytes.toString()
    const found = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|\d+|null|\{\}|\[\])/g)]
    const match = found[pick(found.length, random)]
    if (match === undefined) return bytes
    const value = values[pick(values.length, random)] ?? ''
    const { index } = match
    return Buffer.from(`${text.slice(0, index)}:${value}${text.slice(index + match[0].length)}`)
  },
  function breakLines(bytes) {
    return Buffer.from(bytes.toString().replaceAll('\n', '\r\n'))
  },
  (bytes) => bytes,
]

/** `bytes`, changed once to three times. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  let changed = bytes
  for (let i = 0; i < 1 + random() * 2; i += 1) {
    changed = (mutations[pick(mutations.length, random)] as Mutation)(changed, random)
  }
  return changed
}

/** `bytes` in pieces of any size. */
export function split(bytes: Buffer, random: () => number): Buffer[] {
  const longest = [3, 50, 1_000][pick(3, random)] ?? 1
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + pick(longest, random)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}

function pick(count: number, random: () => number): number {
  return Math.floor(random() * count)
}
