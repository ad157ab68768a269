import { describe, expect, test } from 'vitest'
import { failureOf } from './http/test-http-transport.ts'
import { ways } from './test-ways.ts'
import type { TransportEvents } from './transport.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const neither = 'neither a result nor a proper error'
const large = 'x'.repeat(100_000)

/** What the server answers to request 3, and what the call says of it. */
const answers: [string, string, string][] = [
  ['neither', '{"jsonrpc":"2.0","id":3}', neither],
  ['an error without a code', '{"jsonrpc":"2.0","id":3,"error":{"message":"no code"}}', neither],
  ['an error that is text', '{"jsonrpc":"2.0","id":3,"error":"broken"}', neither],
  ['neither, and much else', `{"jsonrpc":"2.0","id":3,"x":"${large}"}`, neither],
  ['deep nesting', `{"jsonrpc":"2.0","id":3,"result":${nested(70)}}`, '64'],
  ['deep nesting before its id', `{"result":${nested(700)},"id":3,"jsonrpc":"2.0"}`, '64'],
  ['large deep nesting', `{"jsonrpc":"2.0","id":3,"result":["${large}",${nested(70)}]}`, '64'],
  ['a key __proto__', '{"jsonrpc":"2.0","id":3,"result":{"__proto__":{"a":1}}}', '__proto__'],
  [
    'a large key __proto__',
    `{"jsonrpc":"2.0","result":{"__proto__":"${large}"},"id":3}`,
    '__proto__',
  ],
]

/** Text of this process is not counted: it is read at once anyway. */
const answersFromOutside: typeof answers = [
  ...answers,
  ['too many values', `{"jsonrpc":"2.0","id":3,"result":[${'0,'.repeat(1_000_000)}0]}`, '1000000'],
]

const events: TransportEvents = { onMessage() {}, onClose() {}, onWarning() {} }

describe.each(ways)(
  'over $name, a call fails at once when it is answered with',
  ({ kind, open }) => {
    test.each(kind === 'in-process' ? answers : answersFromOutside)(
      '%s',
      async (_, text, found) => {
        await using way = await open()
        const { transport } = way
        await transport.start(events)
        const other = transport.call({ jsonrpc: '2.0', id: 4, method: 'hang' }).catch(() => 'ended')
        const request = { jsonrpc: '2.0', id: 3, method: 'say', params: { text } } as const
        const failure = await failureOf(
          transport.call(request, { signal: AbortSignal.timeout(10_000) }),
        )
        expect(failure).toMatchObject({ kind: 'protocol', retryable: false, mayHaveRun: true })
        expect(failure.message).toContain('mcp: the server answered "say" with ')
        expect(failure.message).toContain(found)
        const good = { jsonrpc: '2.0', id: 5, result: 'good' } as const
        const next = { ...request, id: 5, params: { text: JSON.stringify(good) } }
        expect(await Promise.race([transport.call(next), other])).toEqual(good)
      },
    )
  },
)
