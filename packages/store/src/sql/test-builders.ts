import { randomUUID } from 'node:crypto'
import type { NewChange } from '@dataagent/hub'
import type { Session, Tenant, User } from '@dataagent/schema'
import type { SqlStore } from './open-sql.ts'
import type { AgentRow, ApiKeyRow, ProviderRow, RunRow } from './platform/tables.ts'
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

/** A tenant with this user in it. */
export async function storedUser(store: SqlStore, fields: Partial<User> = {}): Promise<User> {
  const { tenant_id } = await storedTenant(store)
  const user = aUser({ tenant_id, ...fields })
  await store.users.create(user)
  return user
}

export async function storedTenant(store: SqlStore, fields: Partial<Tenant> = {}) {
  const tenant = aTenant(fields)
  await store.tenants.create(tenant)
  return tenant
}

export function anApiKey(
  { tenant_id, user_id }: Pick<ApiKeyRow, 'tenant_id' | 'user_id'>,
  fields: Partial<ApiKeyRow> = {},
): ApiKeyRow {
  return {
    ...{ key_id: randomUUID(), tenant_id, user_id, name: 'first', role: 'admin', act_as: 0 },
    ...{ hashed_api_key: randomUUID(), key_mac: 'mac', pepper_kid: 'k1' },
    ...{ created_at: 1, expires_at: null, revoked_at: null, last_used_at: null },
    ...fields,
  }
}

export function anAgent(fields: Partial<AgentRow> = {}): AgentRow {
  return {
    ...{ tenant_id: randomUUID(), assistant_id: 'sales', name: '销售', description: '' },
    ...{ model: null, system_prompt: null, sandbox_type: null, tool_mode: 'auto' },
    tool_budget_tokens: null,
    ...{ enable_memory: true, enable_skills: false, enable_shell: false, auto_approve: false },
    ...{ on_reject: 'tell', max_turns: 50, enabled: true, created_at: 1, updated_at: 1 },
    ...fields,
  }
}

export function aProvider(fields: Partial<ProviderRow> = {}): ProviderRow {
  return {
    ...{ tenant_id: randomUUID(), provider_id: 'house', name: 'House', kind: 'openai' },
    ...{ base_url: null, models: ['small', 'large'], enabled: true, api_key: null },
    calls_tools: true,
    ...{ created_at: 1, updated_at: 1 },
    ...fields,
  }
}

export function aRun(fields: Partial<RunRow> = {}): RunRow {
  return {
    ...{ run_id: randomUUID(), tenant_id: 'acme', user_id: 'ana', session_id: randomUUID() },
    ...{ assistant_id: 'agent', status: 'running', role: 'user', api_key: null, owner: 'p1' },
    ...{ seen_at: 0, started_at: 1_000, ended_at: null, error_code: null, model: null },
    traceparent: null,
    ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost_micros: 0 },
    ...fields,
  }
}

export function aNote(fields: Pick<NewChange, 'tenant_id' | 'kind' | 'target'>): NewChange {
  return {
    ...{ change_id: randomUUID(), changed_at: 1, by_tenant: 'platform', user_id: 'pia' },
    ...{ role: 'platform_admin', api_key: null, action: 'changed', before: null, after: null },
    ...fields,
  }
}

/** The kinds and targets of what was noted in a tenant. */
export async function notesOf({ hub }: SqlStore, tenant_id: string): Promise<string[]> {
  const rows = await hub.changes.query({ tenant_id, limit: 100, offset: 0 })
  return rows.map(({ kind, target }) => `${kind} ${target}`)
}
