import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openTransport } from './test-transport.ts'

export function describeStderr(): void {
  describe('stderr', () => {
    test('TestStdioTransport_StderrNoise: is told line by line, apart from the answers', async () => {
      await using server = await openTransport()
      const noise = '{"jsonrpc":"2.0","id":2,"result":"forged"}\nnot JSON\n'
      await server.ask('complain', { text: noise })
      expect(await server.ask('echo', { n: 2 })).toEqual({ n: 2 })
      await waitFor(() => server.stderr.length === 2)
      expect(server.stderr).toEqual(noise.trim().split('\n'))
      expect([server.warnings, server.messages, server.closes]).toEqual([[], [], []])
    })

    test('a flood of it costs no answer, and does not slow the close', {
      timeout: 120_000,
    }, async () => {
      const server = await openTransport()
      const times = longCount(16, 128)
      const line = `${'noise '.repeat(174_762)}\n`
      const flood = server.ask('complain', { text: line, times })
      expect(await server.ask('echo', { n: 1 })).toEqual({ n: 1 })
      expect(await flood).toBe('said')
      const asked = performance.now()
      await server.transport.close()
      expect(performance.now() - asked).toBeLessThan(1000)
      expect(server.stderr.length).toBeLessThan(1000)
    })
  })
}
