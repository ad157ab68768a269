import { getEventListeners } from 'node:events'
import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { childrenOf, isAlive } from './test-processes.ts'
import { openTransport, shellServer } from './test-transport.ts'

const mebibyte = 1024 * 1024

describe('calls [C3.3]', () => {
  test('TestStdioTransport_Call: many are under way at once, each gets the answer with its id', async () => {
    await using server = await openTransport()
    const calls = [1, 2, 3].map((n) => server.ask('hang', { n }))
    const last = server.ask('release', { n: 4 })
    const order: unknown[] = []
    for (const call of [...calls, last]) void call.then((result) => order.push(result))
    expect(await Promise.all([...calls, last])).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
    expect(order).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }, { n: 4 }])
  })

  test('after a cancelled one the next gets its own answer, and the late one is nobody’s', async () => {
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

describe('the end of the process [C3.3]', () => {
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

  test('the last of what it wrote to stderr is in the error, and no more than 2 KiB of it', {
    timeout: 300_000,
  }, async () => {
    const script =
      'read line; head -c 50000 /dev/zero | tr "\\0" "x" >&2; printf "\\n\\033[31mthe reason\\033[0m\\n" >&2; exit 1'
    for (let i = 0; i < longCount(20, 500); i += 1) {
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
    const first = server.call('any', {}, { signal: AbortSignal.timeout(2000) })
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

describe('start [C3.3]', () => {
  test('TestStdioTransport_StartupTimeout: a server that never answers is given up and leaves no child', async () => {
    const server = await openTransport({
      ...shellServer('sleep 600 & cat > /dev/null'),
      graceMs: 500,
    })
    const [shell = 0] = childrenOf(process.pid, 'sleep 600 &')
    const family = await waitFor(() => {
      const found = [shell, ...childrenOf(shell, '')]
      return found.length === 3 ? found : undefined
    })
    const asked = performance.now()
    const call = server.call('initialize', {}, { signal: AbortSignal.timeout(200) })
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
    await server.transport.close()
    expect(performance.now() - asked).toBeLessThan(5000)
    expect(family.filter(isAlive)).toEqual([])
  })
})

describe('stderr [C3.3]', () => {
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

describe('large answers [C3.3]', () => {
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
  })
})

describe('cancels [C3.3]', () => {
  test('TestStdioTransport_CancelNoLeak: 1,000 leave no timer, listener or child', async () => {
    const server = await openTransport()
    const pid = await server.ask('pid')
    const aborter = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    const before = timers().length
    const calls = Array.from({ length: 1000 }, () =>
      server.call('hang', {}, { signal: aborter.signal }).catch((error: unknown) => error),
    )
    await server.ask('echo')
    expect(getEventListeners(aborter.signal, 'abort')).toHaveLength(1000)
    aborter.abort()
    for (const failure of await Promise.all(calls))
      expect(failure).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
    expect(getEventListeners(aborter.signal, 'abort')).toEqual([])
    expect(timers().length).toBe(before)
    await server.ask('release')
    expect(server.warnings).toEqual([])
    await server.transport.close()
    expect(isAlive(pid)).toBe(false)
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
      server.call('exit', { code: 1 }, { signal: aborter.signal }).catch((error: unknown) => error),
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
