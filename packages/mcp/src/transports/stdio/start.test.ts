import { createCanary, createFakeClock, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test, vi } from 'vitest'
import { createStdioTransport } from './stdio-transport.ts'
import { childrenOf } from './test-processes.ts'
import { lineServer, openTransport, shellServer } from './test-transport.ts'

const events = { onMessage() {}, onClose() {}, onWarning() {} }
const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('a server that cannot be started', () => {
  test('is a start error that says what to do, without its variables', async () => {
    const secret = createCanary()
    const env = { TOKEN: secret.apiKey }
    const transport = createStdioTransport({ command: 'no-such-tool', env })
    const failure = await failureOf(transport.start(events))
    expect(failure).toMatchObject({ kind: 'start', code: 'process_failed', mayHaveRun: false })
    expect(String(failure)).toMatch(
      /could not be started: .*"no-such-tool" was not found.*Install it/,
    )
    expect(JSON.stringify(failure) + String(failure)).not.toContain(secret.marker)
    await expect(transport.call({ jsonrpc: '2.0', id: 1, method: 'any' })).rejects.toMatchObject({
      kind: 'closed',
      mayHaveRun: false,
    })
    await transport.close()
  })

  test.each([
    [{ cwd: '/no/such/folder' }, /folder "\/no\/such\/folder"/],
    [{ env: { 'A=B': 'c' } }, /environment variable "A=B"/],
    [{ sandbox: { mode: 'required', bubblewrap: '/no/such/bwrap' } as const }, /apt install/],
  ])('%# keeps the reason', async (options, reason) => {
    const failure = await failureOf(
      createStdioTransport({ ...lineServer, ...options }).start(events),
    )
    expect(failure).toMatchObject({ kind: 'start' })
    expect(String(failure)).toMatch(reason)
  })

  test('is not started twice', async () => {
    await using server = await openTransport()
    await expect(server.transport.start(events)).rejects.toMatchObject({ kind: 'config' })
    expect(await server.ask('echo', { n: 1 })).toEqual({ n: 1 })
  })
})

describe('a start that is ended leaves no child', () => {
  const silent = (mark: string) => shellServer(`: ${mark}; cat > /dev/null`)

  test('by its signal, before, while and after it', async () => {
    const mark = crypto.randomUUID()
    const early = createStdioTransport(silent(mark))
    const before = early.start(events, { signal: AbortSignal.abort() })
    await expect(before).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: false })
    const aborter = new AbortController()
    const during = createStdioTransport(silent(mark)).start(events, { signal: aborter.signal })
    aborter.abort()
    await expect(during).rejects.toMatchObject({ kind: 'cancelled' })
    const later = new AbortController()
    const transport = createStdioTransport(silent(mark))
    await transport.start(events, { signal: later.signal })
    later.abort()
    expect(childrenOf(process.pid, mark)).toHaveLength(1)
    await transport.close()
    expect(childrenOf(process.pid, mark)).toEqual([])
  })

  test('by a close', async () => {
    const mark = crypto.randomUUID()
    const transport = createStdioTransport(silent(mark))
    const starting = failureOf(transport.start(events))
    await transport.close()
    expect(await starting).toMatchObject({ kind: 'closed' })
    expect(childrenOf(process.pid, mark)).toEqual([])
  })

  test('by its timeout', async () => {
    const mark = crypto.randomUUID()
    const clock = createFakeClock()
    const starting = failureOf(createStdioTransport({ ...silent(mark), clock }).start(events))
    clock.advance(30_000)
    expect(await starting).toMatchObject({ kind: 'timeout', mayHaveRun: false })
    expect(clock.pending()).toBe(0)
    expect(childrenOf(process.pid, mark)).toEqual([])
  })
})

describe('what the process gets', () => {
  test('is PATH, HOME and their like of the host, what is declared, and nothing else of the host', async () => {
    const [own, foreign] = [createCanary(), createCanary()]
    vi.stubEnv('HOST_CANARY', foreign.apiKey)
    const env = { TOKEN: own.apiKey, LANG: 'declared' }
    await using server = await openTransport({ env })
    const seen = (await server.ask('environment')) as Record<string, string>
    expect(seen).toMatchObject({ TOKEN: own.apiKey, LANG: 'declared', PATH: process.env.PATH })
    expect(JSON.stringify(seen)).not.toContain(foreign.marker)
  })

  test('is of another host environment where one is given', async () => {
    const hostEnv = { PATH: '/usr/bin:/bin', HOME: '/nowhere', OTHER: 'x' }
    await using server = await openTransport({ hostEnv })
    const { PATH, HOME, OTHER } = (await server.ask('environment')) as Record<string, string>
    expect([PATH, HOME, OTHER]).toEqual(['/usr/bin:/bin', '/nowhere', undefined])
  })

  test('is a folder of its own where one is given, and arguments as they are', async () => {
    await using directory = await temporaryDirectory()
    const script = 'pwd >&2; for a in "$@"; do echo "$a" >&2; done; cat > /dev/null'
    const args = ['-c', script, 'sh', '$(id)', 'a b', ';']
    await using server = await openTransport({ command: 'sh', args, cwd: directory.path })
    await waitFor(() => server.stderr.length === 4)
    expect(server.stderr).toEqual([directory.path, '$(id)', 'a b', ';'])
  })

  test('is a sandbox where one is asked for and to be had', async () => {
    const script = `while read line; do echo '{"jsonrpc":"2.0","id":1,"result":"in"}'; exit 7; done`
    const sandbox = { mode: 'preferred' } as const
    await using server = await openTransport({ ...shellServer(script), sandbox })
    expect(await server.ask('any')).toBe('in')
    await waitFor(() => server.closes.length === 1)
    expect(server.closes[0]?.message).toBe('mcp: the server exited with code 7')
  })

  test('no error tells of its variables, not even that of its end', async () => {
    const secret = createCanary()
    await using server = await openTransport({ env: { TOKEN: secret.apiKey } })
    const failure = await failureOf(server.ask('exit', { code: 1, text: 'oh\n' }))
    const told = [failure, ...server.closes].map((error) => String(error) + JSON.stringify(error))
    expect(told.join()).not.toContain(secret.marker)
    expect(told).toHaveLength(2)
  })
})
