import { randomUUID } from 'node:crypto'
import type { Limit } from '../policy/index.ts'
import type { Principal } from '../principal.ts'

/** A limit of a subject; by default of its own tenant, for all tools. */
export function makeLimit(max_calls: number, window_ms: number, more: Partial<Limit> = {}): Limit {
  return {
    tenant_id: 't1',
    limit_id: randomUUID(),
    subject: { kind: 'tenant', id: 't1' },
    server_id: '*',
    tool: '*',
    max_calls,
    window_ms,
    revision: 1,
    created_at: 0,
    created_by: null,
    ...more,
  }
}

export function makePrincipal(more: Partial<Principal> = {}): Principal {
  return { tenant_id: 't1', user_id: 'u1', role: 'user', ...more }
}
