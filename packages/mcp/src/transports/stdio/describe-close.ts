import { waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createStdioTransport } from './stdio-transport.ts'
import { isAlive } from './test-processes.ts'
import { lineServer, openTransport, shellServer } from './test-transport.ts'

export function describeClose(): void {
  describe('close', () => {
    test('lets a server end by itself when its stdin closes, after it has read what was sent', async () => {
      const server = await openTransport(
        shellServer('while read line; do echo "$line" >&2; done; echo bye >&2'),
      )
      const sent = server.transport.send({ jsonrpc: '2.0', method: 'last' })
      await server.transport.close()
      await sent
      expect(server.stderr).toEqual(['{"jsonrpc":"2.0","method":"last"}', 'bye'])
      expect(server.closes).toEqual([])
    })

    test('then asks by TERM, then kills after 5 s, the whole group', async () => {
      const server = await openTransport({ ...lineServer, args: [...lineServer.args, 'stubborn'] })
      const family = [await server.ask('pid'), await server.ask('breed')]
      expect(family.map(isAlive)).toEqual([true, true])
      const under = server.call('hang').catch((error: unknown) => error)
      await server.ask('echo')
      const asked = performance.now()
      const closing = server.transport.close()
      expect(await under).toMatchObject({ kind: 'closed', mayHaveRun: true })
      await expect(server.call('echo')).rejects.toMatchObject({ kind: 'closed', mayHaveRun: false })
      expect(performance.now() - asked).toBeLessThan(2_000)
      await Promise.all([closing, server.transport.close()])
      const took = performance.now() - asked
      expect(took).toBeGreaterThan(4900)
      expect(took).toBeLessThan(15_000)
      expect(server.stderr).toContain('TERM ignored')
      // What was killed is gone once the kernel has got to it.
      await waitFor(() => !family.some(isAlive))
      expect(server.closes).toEqual([])
    })

    test('of a server that has gone, that was never started, or that could not be, settles', async () => {
      await using gone = await openTransport(shellServer('exit 0'))
      await waitFor(() => gone.closes.length === 1)
      await gone.transport.close()
      const never = createStdioTransport(lineServer)
      await never.close()
      const start = never.start({ onMessage() {}, onClose() {}, onWarning() {} })
      await expect(start).rejects.toMatchObject({ kind: 'closed' })
    })

    test('does not wait for a server that has much to say', async () => {
      const server = await openTransport()
      void server.call('endless', { beginning: '{"result":"' }).catch(() => {})
      await server.ask('echo').catch(() => {})
      const asked = performance.now()
      await server.transport.close()
      expect(performance.now() - asked).toBeLessThan(5000)
    })
  })
}
