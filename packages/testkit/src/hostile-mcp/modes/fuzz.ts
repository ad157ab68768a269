const odd = [
  'null',
  '0',
  '-1',
  '1e999',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '[[]]',
  '{}',
  'true',
  '"2.0"',
  '{"a":{"b":[]}}',
  '"constructor"',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":{"polluted":true}}',
]
const methods = [
  'notifications/message',
  'notifications/progress',
  'notifications/tools/list_changed_',
  'notifications/cancelled',
  'notifications/none',
  'toString',
]

/**
 * Makes one line after another, each a message with something wrong in it; the same ones for the
 * same seed. None of them answers a request or asks for an answer.
 */
export function createFuzz(seed: number): () => string {
  const random = createRandom(seed)
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const kinds = [
    () => `{"jsonrpc":"2.0","method":"${pick(methods)}","params":${pick(odd)}}`,
    () => `{"jsonrpc":${pick(odd)},"method":"${pick(methods)}"}`,
    () => `{"jsonrpc":"2.0","method":${pick(odd)},"params":{}}`,
    () => `{"jsonrpc":"2.0","id":${pick(odd)},"result":${pick(odd)}}`,
    () => `{"jsonrpc":"2.0","id":"none","error":${pick(odd)}}`,
    () => `{"jsonrpc":"2.0","id":"none","error":{"code":${pick(odd)},"message":${pick(odd)}}}`,
    () => `[${pick(odd)},${pick(odd)}]`,
    () => pick(odd),
    () => `{"jsonrpc":"2.0","method":"x","params":{}}`.slice(0, Math.floor(random() * 40)),
    () => String.fromCharCode(...Array.from({ length: 20 }, () => 32 + random() * 1_000)),
  ]
  return () => pick(kinds)()
}

/** A small generator with a seed: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
