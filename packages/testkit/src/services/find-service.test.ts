import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { firstLine } from '../first-line.ts'
import { waitFor } from '../wait-for.ts'
import { askBroker, brokerVariable, startBroker } from './broker.ts'
import { createDatabase } from './create-database.ts'
import { createRedisScope } from './create-redis-scope.ts'
import { findService } from './find-service.ts'
import { isAnyAlive } from './processes.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('the environment names the service to use', async () => {
  vi.stubEnv(brokerVariable, undefined)
  vi.stubEnv('TEST_POSTGRES_URL', 'postgres://user@elsewhere/db')
  expect(await findService('postgres')).toEqual({ url: 'postgres://user@elsewhere/db' })
})

describe('where there is no server', () => {
  test('says in one line which file was not tested and what to do', async () => {
    await using broker = await startEmptyBroker()
    vi.stubEnv(brokerVariable, broker.url)
    vi.stubEnv('CI', undefined)
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await findService('mysql')).toBeUndefined()
    expect(stderr.mock.calls.map(([line]) => line)).toEqual([
      'NOT TESTED: packages/testkit/src/services/find-service.test.ts: ' +
        'no mysql: set TEST_MYSQL_URL, or install mariadbd (Debian package mariadb-server)\n',
    ])
  })

  test('throws when CI is set', async () => {
    await using broker = await startEmptyBroker()
    vi.stubEnv(brokerVariable, broker.url)
    vi.stubEnv('CI', 'true')
    await expect(findService('redis')).rejects.toThrow(/NOT TESTED.*a skip fails/)
  })

  test('a database or a scope on it is refused', async () => {
    await using broker = await startEmptyBroker()
    vi.stubEnv(brokerVariable, broker.url)
    await expect(createDatabase('mysql')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(createRedisScope()).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe.skipIf(!(await findService('redis')))('a broker', () => {
  test('gives all who ask at once the same server', async () => {
    vi.stubEnv('TEST_REDIS_URL', undefined)
    await using broker = await startBroker()
    const asked = await Promise.all([1, 2, 3].map(() => askBroker(broker.url, 'redis')))
    expect(asked[0]).toMatch(/^redis:/)
    expect(new Set(asked).size).toBe(1)
  })

  test('answers nobody who does not know its secret', async () => {
    await using broker = await startBroker()
    const response = await fetch(new URL('/guess/redis', broker.url))
    expect(response.status).toBe(404)
  })

  test('of a run that is killed ends with its servers', async () => {
    const run = spawn(process.execPath, ['--input-type=module', '-e', setupProgram], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [brokerVariable]: '' },
      cwd: import.meta.dirname,
    })
    const url = await firstLine(run)
    const server = new URL((await askBroker(url, 'redis')) as string)
    const pid = await listeningPid(server)
    expect(isAnyAlive([pid])).toBe(true)
    run.kill('SIGKILL')
    await waitFor(() => !isAnyAlive([pid]), { timeoutMs: 10_000 })
    await expect(askBroker(url, 'redis')).rejects.toThrow()
  })
})

const setupProgram = `
import { setup } from './global-setup.ts'
await setup()
console.log(process.env.DATAAGENT_TESTKIT_BROKER)
setInterval(() => {}, 1000)
`

async function listeningPid(server: URL): Promise<number> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(server.href)
  const info = await redis.info('server')
  redis.disconnect()
  return Number(info.match(/process_id:(\d+)/)?.[1])
}

/** Stands for a machine on which nothing can be found or installed. */
async function startEmptyBroker(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_request, response) => response.end('{"url":null}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
