import { createRandom } from '../../mutations/random.ts'

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
  const pick = <T>(from: readonly T[]) => from[random.below(from.length)] as T
  const kinds = [
    () => `{"jsonrpc":"2.0","method":"${pick(methods)}","params":${pick(odd)}}`,
    () => `{"jsonrpc":${pick(odd)},"method":"${pick(methods)}"}`,
    () => `{"jsonrpc":"2.0","method":${pick(odd)},"params":{}}`,
    () => `{"jsonrpc":"2.0","id":${pick(odd)},"result":${pick(odd)}}`,
    () => `{"jsonrpc":"2.0","id":"none","error":${pick(odd)}}`,
    () => `{"jsonrpc":"2.0","id":"none","error":{"code":${pick(odd)},"message":${pick(odd)}}}`,
    () => `[${pick(odd)},${pick(odd)}]`,
    () => pick(odd),
    () => `{"jsonrpc":"2.0","method":"x","params":{}}`.slice(0, random.below(40)),
    () => String.fromCharCode(...Array.from({ length: 20 }, () => 32 + random.next() * 1_000)),
  ]
  return () => pick(kinds)()
}
