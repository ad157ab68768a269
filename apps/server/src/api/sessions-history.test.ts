import type { EventsPage, MessagesPage, SessionInfo, SessionsPage } from '@dataagent/schema'
import { createSecret } from '@dataagent/schema'
import {
  canStartService,
  createDatabase,
  findService,
  startRedis,
  temporaryDirectory,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

type Stores = Partial<Config>

/** MySQL by its five settings, all others by their URL. */
function toMysql(address: string): Stores {
  const { hostname, port, username, password, pathname } = new URL(address)
  return {
    ...{ session_store: 'mysql', mysql_host: hostname, mysql_port: Number(port) },
    ...{ mysql_user: decodeURIComponent(username), mysql_database: pathname.slice(1) },
    mysql_password: createSecret(decodeURIComponent(password)),
  }
}

const stores = [
  { name: 'memory', canRun: true, open: async () => ({ session_store: 'memory' }) as Stores },
  { name: 'sqlite', canRun: true, open: async () => ({ session_store: 'sqlite' }) as Stores },
  {
    name: 'mysql',
    canRun: (await findService('mysql')) !== undefined,
    open: async (cleanup: AsyncDisposableStack) =>
      toMysql(cleanup.use(await createDatabase('mysql')).url),
  },
  {
    name: 'postgres',
    canRun: (await findService('postgres')) !== undefined,
    open: async (cleanup: AsyncDisposableStack): Promise<Stores> => {
      const { url } = cleanup.use(await createDatabase('postgres'))
      return { session_store: 'postgres', database_url: createSecret(url) }
    },
  },
  {
    name: 'redis',
    canRun: await canStartService('redis'),
    open: async (cleanup: AsyncDisposableStack): Promise<Stores> => {
      const { url } = cleanup.use(await startRedis())
      return { session_store: 'redis', redis_url: createSecret(url) }
    },
  },
]

const idsIn = ({ sessions }: SessionsPage) => sessions.map(({ session_id }) => session_id)

async function contentsOf({ ask }: TestPlatform, session_id: string): Promise<string[]> {
  const { body } = await ask<MessagesPage>('GET', `/sessions/${session_id}/messages`)
  return body.messages.map(({ content }) => content)
}

/** What a user does with a session: the same on every store. */
async function useSessions(server: TestPlatform): Promise<string> {
  const { ask } = server
  const made = await ask<SessionInfo>('POST', '/sessions', { json: { title: 'Plans' } })
  const { session_id } = made.body
  for (const message of ['Grüße 👋', 'second'])
    await ask('POST', '/chat', { json: { message, session_id } })
  expect(await contentsOf(server, session_id)).toEqual([
    ...['Grüße 👋', 'You said: Grüße 👋'],
    ...['second', 'You said: second'],
  ])
  const page = await ask<MessagesPage>('GET', `/sessions/${session_id}/messages?limit=1&offset=2`)
  expect(page.body).toMatchObject({ total: 4, messages: [{ role: 'user', content: 'second' }] })
  expect(idsIn((await ask<SessionsPage>('GET', '/sessions?q=PLANS')).body)).toEqual([session_id])
  expect(idsIn((await ask<SessionsPage>('GET', '/sessions?q=second')).body)).toEqual([session_id])
  expect((await ask<SessionsPage>('GET', '/sessions?q=absent')).body.total).toBe(0)
  const forked = await ask<SessionInfo>('POST', `/sessions/${session_id}/fork`, { json: {} })
  expect(await contentsOf(server, forked.body.session_id)).toHaveLength(4)
  expect((await ask('DELETE', `/sessions/${forked.body.session_id}`)).status).toBe(204)
  expect(idsIn((await ask<SessionsPage>('GET', '/sessions')).body)).toEqual([session_id])
  return session_id
}

describe.each(stores)('sessions and history on $name', ({ name, canRun, open }) => {
  test.skipIf(!canRun)(
    'are listed, searched, forked, deleted, and there after a restart but for memory [D13.5] [D25.1] [D25.3] [D25.8] [D26.1]',
    { timeout: 120_000 },
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const config = await open(cleanup)
      const { path: dir } = cleanup.use(await temporaryDirectory())
      const before = cleanup.use(await startTestPlatform({ dir, config }))
      const session_id = await useSessions(before)
      await before.stop()

      const after = cleanup.use(await startTestPlatform({ dir, config }))
      const { body } = await after.ask<SessionsPage>('GET', '/sessions')
      expect(idsIn(body)).toEqual(name === 'memory' ? [] : [session_id])
      if (name === 'memory') return
      expect(body.sessions[0]).toMatchObject({ title: 'Plans', status: 'idle' })
      await after.ask('POST', '/chat', { json: { message: 'third', session_id } })
      expect(await contentsOf(after, session_id)).toHaveLength(6)
      expect(JSON.stringify(after.model.requests.at(-1)?.body)).toContain('You said: second')
      const log = await after.ask<EventsPage>('GET', `/sessions/${session_id}/events`)
      expect(log.body.events.map(({ seq }) => seq)).toEqual(log.body.events.map((_, at) => at + 1))
    },
  )
})
