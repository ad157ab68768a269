import { randomUUID } from 'node:crypto'
import type { Session } from '@dataagent/schema'
import { createRedisSessionStore } from '@dataagent/store/kv'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { createRedisScope, findService } from '@dataagent/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import type { SessionSearch, SessionStores, StoredMessage } from './contract.ts'
import { createMemorySessionStore } from './memory-session-store.ts'

type SearchedStores = SessionStores & { sessions: SessionSearch }

/** A store as two processes see it. In memory there is one only. */
export interface StoresUnderTest {
  stores: SearchedStores
  other: SearchedStores
}

/** Runs one body of tests on memory, a real Redis, SQLite, MySQL and PostgreSQL [D13.5]. */
export async function describeSessionStores(
  title: string,
  body: (subject: () => StoresUnderTest) => void,
): Promise<void> {
  describe(`${title} in memory`, () => {
    const stores = createMemorySessionStore()
    body(() => ({ stores, other: stores }))
  })
  describe.skipIf(!(await findService('redis')))(`${title} on redis`, () => {
    const stack = new AsyncDisposableStack()
    let subject: StoresUnderTest | undefined
    beforeAll(async () => {
      const { url, prefix } = stack.use(await createRedisScope())
      const open = () => stack.use(createRedisSessionStore({ url, prefix, ttlMs: 600_000 }))
      subject = { stores: open(), other: open() }
    })
    afterAll(() => stack.disposeAsync())
    body(() => subject!)
  })
  await describeSql(title, (sql) => {
    let other: SearchedStores | undefined
    body(() => {
      other ??= sql().open()
      return { stores: sql().store, other }
    })
  })
}

// Rows for tests: what a test does not name is filled in.

export function aSession(fields: Partial<Session> = {}): Session {
  return {
    session_id: randomUUID(),
    tenant_id: 'acme',
    user_id: 'ada',
    assistant_id: 'agent',
    created_at: 1_000_000,
    last_active: 1_000_000,
    state: { thread_id: 't', auto_approve: false, status: 'idle' },
    metadata: {},
    ...fields,
  }
}

export function aMessage(session_id: string, fields: Partial<StoredMessage> = {}): StoredMessage {
  const message_id = randomUUID()
  return { message_id, session_id, seq: 1, role: 'user', content: 'hi', created_at: 1, ...fields }
}

export const entry = (content: string) => ({ kind: 'text', json: JSON.stringify({ content }) })

/** Stores a session and gives its id. */
export async function stored(stores: SessionStores, fields: Partial<Session> = {}) {
  const session = aSession(fields)
  await stores.sessions.create(session)
  return session.session_id
}
