import {
  canStartService,
  type PrivateServer,
  startMariadb,
  startRedis,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

const services = [
  {
    name: 'database',
    canRun: await canStartService('mysql'),
    start: () => startMariadb(),
    env: (url: string) => ({ DATABASE_URL: url.replace('mysql://', 'mysql+pymysql://') }),
  },
  {
    name: 'key-value store',
    canRun: await canStartService('redis'),
    start: () => startRedis(),
    env: (url: string) => ({ REDIS_URL: url }),
  },
] as const

async function untilReady(server: ServerProcess): Promise<number> {
  const asked = performance.now()
  await waitFor(async () => (await server.get('/api/v1/ready')).status === 200, {
    timeoutMs: 20_000,
  })
  return performance.now() - asked
}

async function untilAway(server: ServerProcess, name: string): Promise<void> {
  const body = await waitFor(
    async () => {
      const { status, body } = await server.getJson('/api/v1/ready')
      return status === 503 ? body : undefined
    },
    { timeoutMs: 20_000 },
  )
  expect(body.message).toMatch(new RegExp(`^Waiting for: .*${name}`))
  const state = {
    name,
    status: expect.stringMatching(/away|connecting/),
    since: expect.any(Number),
  }
  expect(body.details).toEqual({ dependencies: expect.arrayContaining([state]) })
}

function countRecords(server: ServerProcess, text: string): number {
  return server.records().filter(({ message }) => String(message).includes(text)).length
}

describe.each(services)('the $name', ({ name, canRun, start, env }) => {
  test.skipIf(!canRun)(
    'away at the start or in mid-run: alive, not ready, said once, ready when it is back',
    { timeout: 90_000 },
    async () => {
      await using service: PrivateServer = await start()
      await service.kill()
      await using directory = await temporaryDirectory()
      await using server = runServer({ dataDir: directory.path, env: env(service.url) })

      await untilAway(server, name)
      const health = await server.getJson('/api/v1/health')
      expect(health).toMatchObject({ status: 200, body: { status: 'degraded' } })
      await waitFor(() => countRecords(server, `${name} is away`) === 1, { timeoutMs: 20_000 })

      await service.start()
      await untilReady(server)
      const headers = { 'x-api-key': await server.shownKey() }
      expect((await server.get('/api/v1/me', headers)).status).toBe(200)
      expect(countRecords(server, `${name} is away`)).toBe(1)
      expect(countRecords(server, `${name} is back`)).toBe(1)

      await service.kill()
      await untilAway(server, name)
      if (name === 'database') {
        // Who someone is holds for a second.
        const refused = await waitFor(async () => {
          const answer = await server.get('/api/v1/me', headers)
          return answer.status === 200 ? undefined : answer
        })
        expect(refused.status).toBe(503)
        expect(await refused.json()).toMatchObject({ error_code: 'store_unavailable' })
      }
      await service.start()
      await untilReady(server)
      expect((await server.get('/api/v1/me', headers)).status).toBe(200)

      const { password } = new URL(service.url)
      expect(server.stdout() + server.stderr()).not.toContain(password)
      server.process.kill('SIGTERM')
      expect(await server.ended).toBe(0)
    },
  )
})
