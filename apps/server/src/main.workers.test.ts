import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

function workerPids(server: ServerProcess): number[] {
  const parent = String(server.process.pid)
  return execFileSync('ps', ['-o', 'pid=', '--ppid', parent], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
}

async function allReady(server: ServerProcess): Promise<number[]> {
  return waitFor(
    async () => {
      const pids = workerPids(server)
      const isReady = (await server.get('/api/v1/ready', { connection: 'close' })).status === 200
      return pids.length === 2 && isReady ? pids : undefined
    },
    { timeoutMs: 20_000 },
  )
}

test('two workers serve one port, a killed one is replaced, and SIGTERM ends all with 0', {
  timeout: 90_000,
}, async () => {
  await using directory = await temporaryDirectory()
  const args = ['--workers', '2', '--log-level', 'debug']
  await using server = runServer({ dataDir: directory.path, args })
  const shown = await server.shownKey()
  const pids = await allReady(server)
  const headers = { 'x-api-key': shown, connection: 'close' }
  await waitFor(async () => (await server.get('/api/v1/me', headers)).status === 200)

  process.kill(pids[0] ?? 0, 'SIGKILL')
  const after = await waitFor(
    async () => {
      const now = await allReady(server)
      return now.includes(pids[0] ?? 0) ? undefined : now
    },
    { timeoutMs: 20_000 },
  )
  expect(after).toContain(pids[1])
  expect(server.records().some(({ message }) => String(message).startsWith('a worker ended'))).toBe(
    true,
  )

  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(after.filter(isAlive)).toEqual([])
})

test('a connection made as a worker dies is answered by another one', {
  timeout: 90_000,
}, async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path, args: ['--workers', '2'] })
  const [pid = 0] = await allReady(server)
  // It is alive to its parent, and answers nothing more.
  process.kill(pid, 'SIGSTOP')
  const asked = [1, 2, 3, 4].map(() => server.get('/api/v1/health', { connection: 'close' }))
  process.kill(pid, 'SIGKILL')
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200])
})

test('workers whose parent was killed end by themselves', { timeout: 90_000 }, async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path, args: ['--workers', '2'] })
  await server.url()
  const pids = workerPids(server)
  expect(pids).toHaveLength(2)
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
