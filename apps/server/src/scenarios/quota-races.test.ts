import { createDatabase, findService, longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { keyOf, type Person } from '../testing/test-platform.ts'
import { startWorkers, type TestWorkers } from '../testing/test-workers.ts'

const attempts = longCount(40, 200)
const quota = 7

type Open = (cleanup: AsyncDisposableStack) => Promise<Record<string, string>>

const databases: { name: string; canRun: boolean; open: Open }[] = [
  { name: 'sqlite', canRun: true, open: async () => ({}) },
]
for (const name of ['mysql', 'postgres'] as const) {
  databases.push({
    ...{ name, canRun: (await findService(name)) !== undefined },
    open: async (cleanup) => ({ DATABASE_URL: cleanup.use(await createDatabase(name)).url }),
  })
}

interface Asked {
  status: number
  body: { error_code?: string; details?: { limit?: string; max?: number }; users?: number }
}

/** On a connection of its own, so that each worker gets its share. */
async function ask(
  { url }: TestWorkers,
  as: Person,
  [method, path, json]: [string, string, object?],
): Promise<Asked> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...{ 'x-api-key': keyOf(as), connection: 'close' },
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  return { status: response.status, body: (await response.json()) as Asked['body'] }
}

/** All at once: exactly `room` are made, and the others are told which limit is reached. */
async function race(room: number, limit: string, create: (at: number) => Promise<Asked>) {
  const answers = await Promise.all(Array.from({ length: attempts }, (_, at) => create(at)))
  const made = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status === 429)
  expect([limit, made.length, refused.length]).toEqual([limit, room, attempts - room])
  for (const { body } of refused) expect(body).toMatchObject({ details: { limit } })
}

describe.each(databases)('on $name, in two processes', ({ canRun, open }) => {
  test.skipIf(!canRun)(
    `of ${attempts} attempts at once as many succeed as the quota has room for [D35.4] [D31.2] [T46]`,
    { timeout: 240_000 },
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const env = {
        ...(await open(cleanup)),
        DATAAGENT_MCP_SERVERS_PER_USER: '5',
      }
      const workers = cleanup.use(await startWorkers({ env }))
      const usage = await ask(workers, 'eve', ['GET', '/tenants/acme/usage'])
      expect(usage.status).toBe(200)
      const users = usage.body.users ?? 0
      const limits = {
        ...{ max_users: users + quota, max_sessions_per_user: quota, max_mcp_servers: quota + 5 },
      }
      const set = await ask(workers, 'operator', ['PATCH', '/tenants/acme', limits])
      expect(set.status).toBe(200)

      const config = (at: number) => ({
        ...{ name: `server-${at}`, url: 'http://192.0.2.1/mcp', disabled: true },
      })
      await race(5, 'mcp_servers_per_user', (at) =>
        ask(workers, 'ada', ['POST', '/users/ada/mcp-servers', config(at)]),
      )
      await race(quota, 'max_mcp_servers', (at) =>
        ask(workers, 'boss', ['POST', '/mcp-servers', { config: config(at) }]),
      )
      await race(quota, 'max_sessions_per_user', () =>
        ask(workers, 'ada', ['POST', '/sessions', {}]),
      )
      await race(quota, 'max_users', (at) =>
        ask(workers, 'boss', ['POST', '/users', { user_id: `user-${at}`, name: `User ${at}` }]),
      )
    },
  )
})
