import { randomUUID } from 'node:crypto'
import type { Session, Tenant, User } from '@dataagent/schema'
import type { SqlStore } from './open-sql.ts'
import type { MessageRow } from './tables.ts'

/** Rows for tests: what a test does not name is filled in. */
export function aSession(fields: Partial<Session> = {}): Session {
  return {
    session_id: randomUUID(),
    tenant_id: 'default',
    user_id: 'ana',
    assistant_id: 'agent',
    created_at: 1_000,
    last_active: 1_000,
    state: { thread_id: 't', auto_approve: false, status: 'idle' },
    metadata: {},
    ...fields,
  }
}

export function aMessage(session_id: string, fields: Partial<MessageRow> = {}): MessageRow {
  const message_id = randomUUID()
  return { message_id, session_id, seq: 1, role: 'user', content: 'hi', created_at: 1, ...fields }
}

export function aTenant(fields: Partial<Tenant> = {}): Tenant {
  return {
    tenant_id: randomUUID(),
    name: 'Tenant',
    max_users: null,
    max_sessions_per_user: null,
    max_mcp_servers: null,
    workspace_quota: null,
    features_enabled: [],
    created_at: 1_000,
    ...fields,
  }
}

export function aUser(fields: Partial<User> = {}): User {
  const user_id = randomUUID()
  return {
    tenant_id: '',
    user_id,
    name: 'A',
    role: 'user',
    created_at: 1,
    disabled_at: null,
    ...fields,
  }
}

export async function storedSession(store: SqlStore): Promise<string> {
  const session = aSession()
  await store.sessions.create(session)
  return session.session_id
}

export function textEntry(content: string) {
  return { kind: 'text', json: JSON.stringify({ event_type: 'text', content }) }
}
