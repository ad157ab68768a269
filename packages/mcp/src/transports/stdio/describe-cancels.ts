import { getEventListeners } from 'node:events'
import { createFakeClock, longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { isAlive } from './test-processes.ts'
import { openTransport } from './test-transport.ts'

const mebibyte = 1024 * 1024

export function describeCancels(): void {
  describe('cancels', () => {
    test('TestStdioTransport_CancelNoLeak: 1,000 leave no timer, listener or child', async () => {
      const clock = createFakeClock()
      const server = await openTransport({ clock })
      const count = longCount(1000, 20_000)
      const pid = await server.ask('pid')
      const aborter = new AbortController()
      const calls = Array.from({ length: count }, () =>
        server.call('hang', {}, { signal: aborter.signal }).catch((error: unknown) => error),
      )
      await server.ask('echo')
      expect(getEventListeners(aborter.signal, 'abort')).toHaveLength(count)
      aborter.abort()
      for (const failure of await Promise.all(calls))
        expect(failure).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
      expect(getEventListeners(aborter.signal, 'abort')).toEqual([])
      expect(clock.pending()).toBe(0)
      expect(server.late).toEqual([])
      await server.ask('release')
      expect(server.warnings).toEqual([])
      expect(new Set(server.late).size).toBe(count)
      await server.transport.close()
      expect(isAlive(pid)).toBe(false)
      expect(clock.pending()).toBe(0)
    })

    test('an answered call leaves no listener', async () => {
      await using server = await openTransport()
      const { signal } = new AbortController()
      await Promise.all(Array.from({ length: 100 }, () => server.call('echo', {}, { signal })))
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })

    test('one that was not yet written never is', async () => {
      await using server = await openTransport({ graceMs: 500 })
      await server.ask('sulk')
      const aborter = new AbortController()
      const filling = server.call('echo', { text: 'x'.repeat(4 * mebibyte) }).catch(() => {})
      const calls = Array.from({ length: 100 }, () =>
        server
          .call('exit', { code: 1 }, { signal: aborter.signal })
          .catch((error: unknown) => error),
      )
      const note = { jsonrpc: '2.0', method: 'note' } as const
      const sending = server.transport.send(note, { signal: aborter.signal })
      await new Promise(setImmediate)
      aborter.abort()
      await expect(sending).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: false })
      for (const failure of await Promise.all(calls))
        expect(failure).toMatchObject({ kind: 'cancelled', mayHaveRun: false })
      await server.transport.close()
      await filling
    })
  })
}
