import { existsSync } from 'node:fs'
import { chmod, readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../temporary-directory.ts'
import { canStartService } from './find-service.ts'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import type { PrivateServer } from './private-server.ts'
import { startRedis } from './redis.ts'
import type { ServiceKind } from './service-kind.ts'

interface Store {
  write(value: string): Promise<unknown>
  read(): Promise<unknown>
  close(): Promise<unknown> | unknown
}

interface Case {
  kind: ServiceKind
  start: () => Promise<PrivateServer>
  open: (url: string) => Promise<Store>
}

const cases: Case[] = [
  { kind: 'mysql', start: startMariadb, open: openMysql },
  { kind: 'postgres', start: startPostgres, open: openPostgres },
  { kind: 'redis', start: () => startRedis({ durable: true }), open: openRedis },
]

afterEach(() => vi.unstubAllEnvs())

for (const { kind, start, open } of cases) {
  const present = await canStartService(kind)

  describe.skipIf(!present)(`a private ${kind}`, () => {
    test('keeps what it acknowledged when killed, and starts again on the same port', async () => {
      await using server = await start()
      const before = await open(server.url)
      await before.write('acknowledged')
      const firstPid = server.pid
      await server.kill('SIGKILL')
      await before.close()
      expect(await isOpen(server.port)).toBe(false)

      await server.start()
      expect(server.pid).not.toBe(firstPid)
      const after = await open(server.url)
      expect(await after.read()).toBe('acknowledged')
      await after.close()
    })

    test('answers nothing while paused, and goes on when resumed', async () => {
      await using server = await start()
      const store = await open(server.url)
      await store.write('before')
      await server.pause()
      const answer = store.read()
      expect(await Promise.race([answer, sleep(300, 'silence')])).toBe('silence')
      expect(await isOpen(server.port)).toBe(true)
      server.resume()
      expect(await answer).toBe('before')
      await store.close()
    })

    test('stops in good order with a client connected, and keeps its data', async () => {
      await using server = await start()
      const store = await open(server.url)
      await store.write('kept')
      await server.stop()
      await store.close()
      await server.start()
      const again = await open(server.url)
      expect(await again.read()).toBe('kept')
      await again.close()
    })

    test('refuses those without the password', async () => {
      await using server = await start()
      const url = new URL(server.url)
      url.password = 'wrong'
      await expect(open(url.href)).rejects.toThrow()
    })
  })
}

describe.skipIf(!(await canStartService('redis')))('a server that', () => {
  test('cannot start says why and leaves no directory', async () => {
    await using temporary = await temporaryDirectory()
    await chmod(temporary.path, 0o755)
    vi.stubEnv('TMPDIR', temporary.path)
    await expect(startRedis({ args: ['--no-such-setting', 'x'] })).rejects.toThrow(
      /did not start \(ended with 1\):[\s\S]*no-such-setting/,
    )
    expect(await readdir(temporary.path)).toEqual([])
  })

  test('is disposed of leaves neither process nor directory', async () => {
    await using temporary = await temporaryDirectory()
    await chmod(temporary.path, 0o755)
    vi.stubEnv('TMPDIR', temporary.path)
    const server = await startRedis()
    const { pid } = server
    expect(await readdir(temporary.path)).toHaveLength(1)
    await server[Symbol.asyncDispose]()
    expect(await readdir(temporary.path)).toEqual([])
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('is paused is still disposed of', async () => {
    const server = await startRedis()
    await server.pause()
    await server[Symbol.asyncDispose]()
    expect(await isOpen(server.port)).toBe(false)
  })

  test('runs already is not started twice', async () => {
    await using server = await startRedis()
    await expect(server.start()).rejects.toMatchObject({ code: 'conflict' })
  })
})

test.skipIf(!existsSync('/proc') || !(await canStartService('postgres')))(
  'a PostgreSQL killed and not started again leaves no shared memory behind',
  async () => {
    const creators = async () =>
      (await readFile('/proc/sysvipc/shm', 'utf8'))
        .split('\n')
        .map((row) => row.trim().split(/\s+/)[4])
    const server = await startPostgres()
    const pid = String(server.pid)
    expect(await creators()).toContain(pid)
    await server.kill('SIGKILL')
    await server[Symbol.asyncDispose]()
    expect(await creators()).not.toContain(pid)
  },
)

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
  } finally {
    socket.destroy()
  }
}

async function openMysql(url: string): Promise<Store> {
  const connection = await createConnection(url)
  connection.on('error', () => {})
  await connection.query('CREATE TABLE IF NOT EXISTS t (v VARCHAR(99))')
  return {
    write: (value) => connection.query('INSERT INTO t VALUES (?)', [value]),
    async read() {
      const [rows] = await connection.query('SELECT v FROM t')
      return (rows as { v: string }[])[0]?.v
    },
    close: () => connection.destroy(),
  }
}

async function openPostgres(url: string): Promise<Store> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  await client.query('CREATE TABLE IF NOT EXISTS t (v text)')
  return {
    write: (value) => client.query('INSERT INTO t VALUES ($1)', [value]),
    read: async () => (await client.query<{ v: string }>('SELECT v FROM t')).rows[0]?.v,
    close: () => client.end().catch(() => {}),
  }
}

async function openRedis(url: string): Promise<Store> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  await redis.connect()
  await redis.ping()
  return {
    write: (value) => redis.set('t', value),
    read: () => redis.get('t'),
    close: () => redis.disconnect(),
  }
}
