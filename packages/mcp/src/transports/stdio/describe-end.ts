import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { childrenOf, isAlive } from './test-processes.ts'
import { openTransport, shellServer } from './test-transport.ts'

const mebibyte = 1024 * 1024

export function describeEnd(): void {
  describe('the end of the process', () => {
    test('TestStdioTransport_ProcessExit: every call under way and every later one is told, once', async () => {
      await using server = await openTransport()
      const calls = [1, 2, 3].map((n) => server.ask('hang', { n }))
      calls.push(server.ask('exit', { code: 3, text: 'cannot go on: disk full\n' }))
      for (const call of calls) {
        await expect(call).rejects.toMatchObject({
          kind: 'closed',
          mayHaveRun: true,
          message: 'mcp: the server exited with code 3: cannot go on: disk full',
          data: { exitCode: 3, signal: null },
        })
      }
      const later = server.ask('echo')
      await expect(later).rejects.toMatchObject({ kind: 'closed', mayHaveRun: false })
      await expect(later).rejects.toThrow('exited with code 3: cannot go on: disk full')
      expect(server.closes.map(({ message }) => message)).toEqual([
        'mcp: the server exited with code 3: cannot go on: disk full',
      ])
      await server.transport.close()
      expect(server.closes).toHaveLength(1)
    })

    test('is seen within 50 ms, whatever holds its streams', { timeout: 300_000 }, async () => {
      const delays: number[] = []
      for (let i = 0; i < longCount(20, 1000); i += 1) {
        await using server = await openTransport(shellServer('sleep 60 & read line; kill -KILL $$'))
        const asked = performance.now()
        await expect(server.call('any')).rejects.toThrow('was ended by SIGKILL')
        delays.push(performance.now() - asked)
      }
      delays.sort((a, b) => a - b)
      expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(50 * 5)
      expect(delays[0]).toBeLessThan(50)
    })

    test('what it answered before arrives, however large', async () => {
      await using small = await openTransport()
      expect(await small.ask('exit', { code: 0, bytes: 10 })).toBe('x'.repeat(10))
      await using large = await openTransport()
      expect(await large.ask('exit', { code: 0, bytes: 5 * mebibyte })).toHaveLength(5 * mebibyte)
      await waitFor(() => small.closes.length === 1 && large.closes.length === 1)
    })

    const times = longCount(20, 500)

    test(`the last of what it wrote to stderr is in the error, and no more than 2 KiB of it, each of ${times} times [F6]`, {
      timeout: 300_000,
    }, async () => {
      const script =
        'read line; head -c 50000 /dev/zero | tr "\\0" "x" >&2; printf "\\n\\033[31mthe reason\\033[0m\\n" >&2; exit 1'
      for (let i = 0; i < times; i += 1) {
        await using server = await openTransport(shellServer(script))
        const failure = await server.call('any').catch((error: unknown) => error)
        expect(String(failure)).toMatch(/exited with code 1: ….*the reason$/s)
        expect(String(failure).length).toBeLessThan(2200)
      }
    })

    test.each([
      ['output', 'exec >&-', 'closed its output', true],
      ['input', 'exec <&-; echo closed', 'no longer reads its input', false],
    ])('an %s that it closes is its end too, and nothing is left of it', async (...row) => {
      const [, deed, message, mayHaveRun] = row
      const script = `read line; ${deed}; exec sleep 600`
      await using server = await openTransport({ ...shellServer(script), graceMs: 500 })
      const [pid] = childrenOf(process.pid, deed)
      expect(isAlive(pid)).toBe(true)
      const first = server.call('any', {}, { signal: AbortSignal.timeout(20_000) })
      if (!mayHaveRun) await waitFor(() => server.warnings.length === 1)
      await expect(mayHaveRun ? first : server.call('any')).rejects.toMatchObject({
        kind: 'closed',
        message: `mcp: the server ${message}`,
        mayHaveRun,
      })
      await expect(first).rejects.toMatchObject({ kind: 'closed', mayHaveRun: true })
      await waitFor(() => !isAlive(pid))
      expect(server.closes).toHaveLength(1)
    })
  })
}
