import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'
import { whenWorkersReady, workerPids } from './testing/test-workers.ts'

test('two workers serve one port, a killed one is replaced, and SIGTERM ends all with 0', {
  timeout: 90_000,
}, async () => {
  await using directory = await temporaryDirectory()
  const args = ['--workers', '2', '--log-level', 'debug']
  await using server = runServer({ dataDir: directory.path, args })
  const shown = await server.shownKey()
  const pids = await whenWorkersReady(server, 2)
  const headers = { 'x-api-key': shown, connection: 'close' }
  await waitFor(async () => (await server.get('/api/v1/me', headers)).status === 200)

  process.kill(pids[0] ?? 0, 'SIGKILL')
  const after = await waitFor(
    async () => {
      const now = await whenWorkersReady(server, 2)
      return now.includes(pids[0] ?? 0) ? undefined : now
    },
    { timeoutMs: 20_000, intervalMs: 50 },
  )
  expect(after).toContain(pids[1])
  expect(endedWorkers(server)).toHaveLength(1)

  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(after.filter(isAlive)).toEqual([])
})

describe('two workers', () => {
  const cleanup = new AsyncDisposableStack()
  let server: ServerProcess
  let config: string
  beforeAll(async () => {
    const dataDir = cleanup.use(await temporaryDirectory()).path
    config = join(dataDir, 'config.json')
    await writeFile(config, '{}')
    const args = ['--workers', '2', '--port', '0', '--config', config]
    server = cleanup.use(runServer({ dataDir, args }))
  })
  afterAll(() => cleanup.disposeAsync())

  test('are all replaced where they serve, by SIGUSR2', { timeout: 180_000 }, async () => {
    const pids = await whenWorkersReady(server, 2)
    server.process.kill('SIGUSR2')
    await waitFor(() => pids.every((pid) => !isAlive(pid)), { timeoutMs: 60_000 })
    await whenWorkersReady(server, 2)
    expect(endedWorkers(server)).toEqual([])
  })

  test('stay where SIGUSR2 brings a version that does not start', { timeout: 90_000 }, async () => {
    const pids = await whenWorkersReady(server, 2)
    await writeFile(config, '{"of_tomorrow": true}')
    server.process.kill('SIGUSR2')
    const given = await waitFor(
      () => server.records().find(({ message }) => /restart is given up/.test(String(message))),
      { timeoutMs: 60_000 },
    )
    await writeFile(config, '{}')
    expect(given).toMatchObject({ level: 'error', code: 2 })
    expect(workerPids(server).sort()).toEqual(pids.sort())
    expect(endedWorkers(server)).toEqual([])
    expect((await server.get('/api/v1/ready', { connection: 'close' })).status).toBe(200)
  })

  test('answer for each other: also a connection made as one of them dies', {
    timeout: 90_000,
  }, async () => {
    const [pid = 0] = await whenWorkersReady(server, 2)
    // It is alive to its parent, and answers nothing more.
    process.kill(pid, 'SIGSTOP')
    const asked = [1, 2, 3, 4].map(() => server.get('/api/v1/health', { connection: 'close' }))
    process.kill(pid, 'SIGKILL')
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200])
  })

  test('that all die at once answer again on the same port', { timeout: 180_000 }, async () => {
    const pids = await whenWorkersReady(server, 2)
    killWorkers(server)
    await waitFor(() => pids.every((pid) => !isAlive(pid)), { timeoutMs: 20_000 })
    const after = await whenWorkersReady(server, 2)
    expect(after.filter((pid) => pids.includes(pid))).toEqual([])

    server.process.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })
})

test('where nobody listens a new worker does at once and says what is wrong', {
  timeout: 90_000,
}, async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({
    dataDir: directory.path,
    args: ['--workers', '2', '--port', '0'],
    // Nobody is there: no worker gets ready, and one that joins others waits for 15 seconds.
    env: { REDIS_URL: 'redis://127.0.0.1:1' },
  })
  await server.url()
  await waitFor(() => workerPids(server).length === 2, { timeoutMs: 20_000, intervalMs: 50 })
  const [first] = server.records().filter(({ message }) => message === 'a worker listens')
  process.kill(Number(first?.worker_pid), 'SIGKILL')
  await waitFor(() => !isAlive(Number(first?.worker_pid)))
  const answer = await waitFor(() => server.get('/api/v1/ready', { connection: 'close' }), {
    timeoutMs: 14_000,
  })
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('key-value store')
})

test('SIGUSR2 leaves alone the workers that are still starting', { timeout: 90_000 }, async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path, args: ['--workers', '2'] })
  const [first] = await waitFor(() => some(workerPids(server)), {
    ...{ timeoutMs: 20_000, intervalMs: 50 },
  })
  server.process.kill('SIGUSR2')
  await server.url()
  const [second] = await waitFor(() => some(workerPids(server).filter((pid) => pid !== first)), {
    ...{ timeoutMs: 20_000, intervalMs: 50 },
  })
  server.process.kill('SIGUSR2')
  await waitFor(async () => (await whenWorkersReady(server, 2)).includes(second ?? 0), {
    timeoutMs: 60_000,
    what: 'the second among those that serve',
  })
  expect(endedWorkers(server)).toEqual([])
})

test('workers that die again and again are started ever later, and not after SIGTERM', {
  timeout: 120_000,
}, async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path, args: ['--workers', '2'] })
  await whenWorkersReady(server, 2)
  const waits = () => endedWorkers(server).map(({ restart_in_ms }) => Number(restart_in_ms))
  await waitFor(
    () => {
      killWorkers(server)
      return waits().length >= 8 && workerPids(server).length === 0
    },
    { timeoutMs: 60_000, intervalMs: 50, what: 'eight deaths' },
  )
  expect(waits().slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000])

  const begun = performance.now()
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  // The next start was ten seconds away.
  expect(performance.now() - begun).toBeLessThan(8_000)
  expect(server.records().at(-1)).toMatchObject({ message: 'stopped' })
})

test('workers whose parent was killed end by themselves [F19]', { timeout: 90_000 }, async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path, args: ['--workers', '2'] })
  const pids = await whenWorkersReady(server, 2)
  server.process.kill('SIGKILL')
  await waitFor(() => pids.every((pid) => !isAlive(pid)), { timeoutMs: 20_000 })
})

test('a port in use ends the parent and its workers with the reason, and makes no key', {
  timeout: 90_000,
}, async () => {
  await using directory = await temporaryDirectory()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const args = ['--workers', '2', '--port', String(port)]
  await using refused = runServer({ dataDir: directory.path, args })
  expect(await refused.ended).toBe(1)
  expect(refused.stderr()).toContain(`Port ${port} on 127.0.0.1 is in use`)
  expect(refused.stdout() + refused.stderr()).not.toMatch(/EPIPE|at .*\.ts:/)
  other.close()

  await using second = runServer({ dataDir: directory.path, args })
  await second.shownKey()
})

/** The records of those that ended without having been asked. */
function endedWorkers(server: ServerProcess): Record<string, unknown>[] {
  return server.records().filter(({ message }) => String(message).startsWith('a worker ended'))
}

function killWorkers(server: ServerProcess): void {
  for (const pid of workerPids(server).filter(isAlive)) process.kill(pid, 'SIGKILL')
}

function some<T>(found: T[]): T[] | undefined {
  return found.length > 0 ? found : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
