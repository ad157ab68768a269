import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openTransport } from './test-transport.ts'

export function describeCalls(): void {
  describe('calls', () => {
    test('TestStdioTransport_Call: many are under way at once, each gets the answer with its id', async () => {
      await using server = await openTransport()
      const calls = [1, 2, 3].map((n) => server.ask('hang', { n }))
      const last = server.ask('release', { n: 4 })
      const order: unknown[] = []
      for (const call of [...calls, last]) void call.then((result) => order.push(result))
      expect(await Promise.all([...calls, last])).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
      expect(order).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }, { n: 4 }])
    })

    test('after a cancelled one the next gets its own answer, and the late one is nobody’s [F4]', async () => {
      await using server = await openTransport()
      const aborter = new AbortController()
      const first = server.ask('hang', { n: 1 }, { signal: aborter.signal })
      await server.ask('echo')
      aborter.abort(new Error('enough'))
      const cause = aborter.signal.reason
      await expect(first).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: true, cause })
      expect(await server.ask('release', { n: 2 })).toEqual({ n: 2 })
      expect(await server.ask('echo', { n: 3 })).toEqual({ n: 3 })
      expect(server.warnings).toEqual([])
    })

    test('many thousands with 64 under way all get the right answer', {
      timeout: 300_000,
    }, async () => {
      await using server = await openTransport()
      let left = longCount(10_000, 500_000)
      const work = async () => {
        while (left > 0) {
          const n = left--
          expect(await server.ask('echo', { n })).toEqual({ n })
        }
      }
      await Promise.all(Array.from({ length: 64 }, work))
      expect(server.warnings).toEqual([])
    })

    test('one already cancelled is refused at once and never written', async () => {
      await using server = await openTransport()
      const call = server.call('exit', { code: 1 }, { signal: AbortSignal.abort() })
      await expect(call).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: false })
      expect(await server.ask('echo', { n: 1 })).toEqual({ n: 1 })
    })

    test('one with an id in use, or with what JSON cannot hold, is refused and harms no other', async () => {
      await using server = await openTransport()
      const request = { jsonrpc: '2.0', id: 'a', method: 'hang', params: {} } as const
      const first = server.transport.call(request)
      await expect(server.transport.call(request)).rejects.toMatchObject({ kind: 'conflict' })
      const cannot = server.call('echo', { n: 1n })
      await expect(cannot).rejects.toMatchObject({ kind: 'config', code: 'invalid_request' })
      await server.ask('release')
      expect(await first).toMatchObject({ id: 'a' })
    })
  })
}
