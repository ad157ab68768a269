import { describe, expect, test } from 'vitest'
import { openTransport } from './test-transport.ts'

const mebibyte = 1024 * 1024

export function describeLargeAnswers(): void {
  describe('large answers', () => {
    test('TestStdioTransport_LargeResponse: of more than 64 KiB and of 10 MiB arrive whole', async () => {
      await using server = await openTransport()
      for (const bytes of [65_535, 65_536, 65_537, 200_000, 10 * mebibyte]) {
        for (const idLast of [false, true]) {
          const result = await server.ask('large', { bytes, idLast })
          expect(result === 'x'.repeat(bytes)).toBe(true)
        }
      }
      expect(server.warnings).toEqual([])
    })

    test('one over maxMessageBytes fails its call at once, and no other', async () => {
      await using server = await openTransport({ maxMessageBytes: mebibyte })
      const other = server.ask('hang', { n: 1 })
      const exact = mebibyte - JSON.stringify({ jsonrpc: '2.0', id: 2, result: '' }).length
      expect(await server.ask('large', { bytes: exact })).toHaveLength(exact)
      for (const idLast of [false, true]) {
        const call = server.ask('large', { bytes: exact + 1, idLast })
        await expect(call).rejects.toMatchObject({
          kind: 'too_large',
          code: 'too_large',
          mayHaveRun: true,
          message: 'mcp: the server sent a message of more than 1048576 bytes (maxMessageBytes)',
        })
      }
      await server.ask('release')
      expect(await other).toEqual({ n: 1 })
      expect(server.warnings).toEqual([])
    })

    test('one that never ends fails its call as soon as the limit is passed', async () => {
      await using server = await openTransport({ graceMs: 500 })
      const call = server.call('endless', { beginning: '{"jsonrpc":"2.0","id":1,"result":"' })
      await expect(call).rejects.toMatchObject({ kind: 'too_large' })
      await expect(call).rejects.toThrow(`more than ${16 * mebibyte} bytes`)
    })
  })
}
