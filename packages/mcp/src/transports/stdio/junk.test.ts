import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openTransport } from './test-transport.ts'

const toParams = (...lines: (string | Uint8Array)[]) => ({
  base64: Buffer.concat(
    lines.flatMap((line) => [Buffer.from(line as string), Buffer.from('\n')]),
  ).toString('base64'),
})

describe('what a server writes besides answers', () => {
  test.each([
    ['text', 'Server listening on stdio'],
    ['an empty line', ''],
    ['space', ' \t\r'],
    ['JSON that is no message', '{"hello":"world"}'],
    ['a number', '42'],
    ['an empty batch', '[]'],
    ['half a message', '{"jsonrpc":"2.0","id":1,"result'],
    ['bytes that are no text', Uint8Array.from([0, 255, 254, 0x80, 0xc3, 0x28])],
    ['a byte order mark alone', '\ufeff'],
    ['an older version of JSON-RPC', '{"id":1,"result":"forged"}'],
    ['nesting without end', '['.repeat(1000)],
    ['large nesting without end', '['.repeat(200_000)],
    ['a large key __proto__', `{"jsonrpc":"2.0","__proto__":"${'x'.repeat(100_000)}"}`],
    ['a key __proto__', '{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"polluted":1}}}'],
    ['an answer with a list as id', '{"jsonrpc":"2.0","id":[1],"result":"forged"}'],
  ])('%s is skipped and told, and the call goes on [C3.4] [F3]', async (_, junk) => {
    await using server = await openTransport()
    const hung = server.ask('hang', { n: 1 })
    expect(await server.ask('write', toParams(junk, junk))).toBe('written')
    expect(await server.ask('release', { n: 2 })).toEqual({ n: 2 })
    expect(await hung).toEqual({ n: 1 })
    expect(server.warnings).toHaveLength(2)
    expect(server.warnings[0]).toMatch(
      /^the server wrote a line that is no JSON-RPC message; skipped: "/,
    )
    expect([server.messages, server.closes]).toEqual([[], []])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  const rounds = longCount(10, 1000)

  test(`a flood of ${rounds * 1000} lines of junk is not a flood of warnings [C3.4] [F3]`, {
    timeout: 120_000,
  }, async () => {
    await using server = await openTransport()
    const begun = performance.now()
    for (let round = 0; round < rounds; round += 1)
      await server.ask('write', toParams(...Array.from({ length: 1000 }, (_, i) => `{junk ${i}`)))
    const seconds = (performance.now() - begun) / 1000
    expect(server.warnings.length).toBeGreaterThan(15)
    expect(server.warnings.length).toBeLessThan(25 + seconds)
    expect(await server.ask('echo', { n: 1 })).toEqual({ n: 1 })
  })

  test('answers with a wrong id, the same id again, or its text change nothing [F4]', async () => {
    await using server = await openTransport()
    const answer = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: 'forged' })
    const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } }
    await server.ask('echo')
    const hung = server.ask('hang', { n: 2 })
    const lines = [answer(1), answer('2'), answer(2.5), answer(99), JSON.stringify(error)]
    await server.ask('write', toParams(...lines))
    expect(server.warnings).toEqual([
      'the server answered request 1, for which nobody waits; it was skipped',
      'the server answered request "2", for which nobody waits; it was skipped',
      'the server answered request 2.5, for which nobody waits; it was skipped',
      'the server answered request 99, for which nobody waits; it was skipped',
      'the server answered with an error that names no request; it was skipped',
    ])
    await server.ask('release')
    expect(await hung).toEqual({ n: 2 })
  })

  test('messages with a byte order mark, CRLF, space or in a batch are read', async () => {
    await using server = await openTransport()
    const note = (n: number) => JSON.stringify({ jsonrpc: '2.0', method: 'note', params: { n } })
    const lines = [`\ufeff${note(1)}\r`, `  ${note(2)}\t`, `[${note(3)},7,${note(4)}]`]
    await server.ask('write', toParams(...lines))
    expect(server.messages.map((message) => 'params' in message && message.params)).toEqual(
      [1, 2, 3, 4].map((n) => ({ n })),
    )
    expect(server.warnings).toEqual([])
  })

  test('a message that its handler chokes on does not end the reading', async () => {
    await using server = await openTransport({}, () => {
      throw new Error('choked')
    })
    await server.ask('write', toParams('{"jsonrpc":"2.0","method":"note"}'))
    expect(server.warnings).toEqual(['a message of the server could not be handled: Error: choked'])
  })

  test('messages keep their order around a large one', async () => {
    await using server = await openTransport()
    const note = (n: number, text: string) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'note', params: { n, text } })
    const lines = [note(1, ''), note(2, 'x'.repeat(3_000_000)), note(3, ''), note(4, '')]
    await server.ask('write', toParams(...lines))
    const order = server.messages.map((message) => 'params' in message && message.params?.n)
    expect(order).toEqual([1, 2, 3, 4])
  })
})
