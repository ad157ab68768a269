import { mutateBytes, type Random } from '@dataagent/testkit'

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

type Mutation = (bytes: Buffer, random: Random) => Buffer

const mutations: readonly Mutation[] = [
  mutateBytes,
  function repeatEvent(bytes, random) {
    const events = bytes.toString().split(/(?<=\n\n)/)
    const event = events[random.below(events.length)] ?? ''
    events.splice(random.below(events.length + 1), 0, event)
    return Buffer.from(events.join(''))
  },
  function swapEvents(bytes, random) {
    const events = bytes.toString().split(/(?<=\n\n)/)
    const [event = ''] = events.splice(random.below(events.length), 1)
    events.splice(random.below(events.length + 1), 0, event)
    return Buffer.from(events.join(''))
  },
  function replaceValue(bytes, random) {
    const text = bytes.toString()
    const found = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|\d+|null|\{\}|\[\])/g)]
    const match = found[random.below(found.length)]
    if (match === undefined) return bytes
    const value = values[random.below(values.length)] ?? ''
    const { index } = match
    return Buffer.from(`${text.slice(0, index)}:${value}${text.slice(index + match[0].length)}`)
  },
  function breakLines(bytes) {
    return Buffer.from(bytes.toString().replaceAll('\n', '\r\n'))
  },
  (bytes) => bytes,
]

/** `bytes`, changed once to three times. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let changed = bytes
  for (let i = 0; i < 1 + random.next() * 2; i += 1) {
    changed = (mutations[random.below(mutations.length)] as Mutation)(changed, random)
  }
  return changed
}

/** `bytes` in pieces of any size. */
export function split(bytes: Buffer, random: Random): Buffer[] {
  const longest = [3, 50, 1_000][random.below(3)] ?? 1
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(longest)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}
