import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  canStartService,
  createDatabase,
  findService,
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
    env: (url: string) => ({ REDIS_URL: url, MCP_SESSION_TTL_SECONDS: '120' }),
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

/** A token that the gateway gives is in that Redis, under its HMAC, for as long as was set. */
async function expectSession(server: ServerProcess, redisUrl: string): Promise<void> {
  const post = async (path: string, body: object, key?: string) => {
    const response = await fetch((await server.url()) + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { key?: string; result?: { sessionToken: string } }
  }
  const group = { name: 'All', tools: [{ server_id: '*', tool: '*' }] }
  const { key: apiKey } = await post('/api/v1/mcp-groups', group, await server.shownKey())
  expect(await askRedis(redisUrl, 'KEYS *mcp:session:*')).toEqual([])
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { apiKey } }
  const { result } = await post('/api/v1/mcp/jsonrpc', initialize)
  expect(result?.sessionToken).toMatch(/^st_/)
  const keys = await askRedis(redisUrl, 'KEYS *mcp:session:*')
  expect(keys).toEqual([expect.stringMatching(/^dataagent:mcp:session:[\w:-]{20,}$/)])
  expect(keys[0]).not.toContain(result?.sessionToken)
  const [ttl] = await askRedis(redisUrl, `TTL ${keys[0]}`)
  expect(Number(ttl)).toBeGreaterThan(60)
  expect(Number(ttl)).toBeLessThanOrEqual(120)
}

/** What Redis itself answers to one inline command: the strings of an array, or a number. */
async function askRedis(url: string, command: string): Promise<string[]> {
  const { hostname, port, password } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(`AUTH ${password}\r\n${command}\r\n`)
  const [auth, ...lines] = (await text(socket)).trimEnd().split('\r\n')
  expect(auth).toBe('+OK')
  const number = /^:(-?\d+)$/.exec(lines[0] ?? '')?.[1]
  return number === undefined ? lines.filter((line) => !/^[*$]/.test(line)) : [number]
}

describe.each(services)('the $name', ({ name, canRun, start, env }) => {
  test.skipIf(!canRun)(
    'away at the start or in mid-run: alive, not ready, said once, ready when it is back [E7.1] [F13, F16]',
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
      await waitFor(() => countRecords(server, `${name} is back`) === 1, { timeoutMs: 20_000 })

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
      } else {
        // Keys are in the database: who may get in does, and nobody else.
        expect((await server.get('/api/v1/me', headers)).status).toBe(200)
        for (const wrong of [{}, { 'x-api-key': 'a-key-that-nobody-has-0123456789' }]) {
          expect((await server.get('/api/v1/me', wrong)).status).toBe(401)
        }
      }
      await service.start()
      await untilReady(server)
      expect((await server.get('/api/v1/me', headers)).status).toBe(200)

      if (name === 'key-value store') await expectSession(server, service.url)

      const { password } = new URL(service.url)
      expect(server.stdout() + server.stderr()).not.toContain(password)
      server.process.kill('SIGTERM')
      expect(await server.ended).toBe(0)
    },
  )
})

const hasPostgres = (await findService('postgres')) !== undefined

test.skipIf(!hasPostgres)(
  'DATABASE_URL of SQLAlchemy, with its driver, is that PostgreSQL [E7.1]',
  { timeout: 60_000 },
  async () => {
    await using database = await createDatabase('postgres')
    await using directory = await temporaryDirectory()
    const DATABASE_URL = database.url.replace(/^postgres(ql)?:/, 'postgresql+psycopg2:')
    await using server = runServer({ dataDir: directory.path, env: { DATABASE_URL } })
    await untilReady(server)
    const headers = { 'x-api-key': await server.shownKey() }
    expect((await server.get('/api/v1/me', headers)).status).toBe(200)
    const [row] = await database.query('SELECT COUNT(*) AS n FROM api_keys')
    expect(Number(row?.n)).toBe(1)
  },
)
