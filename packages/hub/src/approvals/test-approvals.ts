import { randomUUID } from 'node:crypto'
import { setImmediate as nextLoop } from 'node:timers/promises'
import type { Principal } from '../principal.ts'
import type { ApprovalAsk, ApprovalRow, Approvals } from './contract.ts'

// People, calls and rows for tests: what a test does not name is filled in.

export const yes = { type: 'approve', message: '' } as const
export const no = { type: 'reject', message: 'not today' } as const

export function aUser(user_id: string, fields: Partial<Principal> = {}): Principal {
  return { tenant_id: 't1', user_id, role: 'user', ...fields }
}

/** A call that nobody has made before. */
export function anAsk(fields: Partial<ApprovalAsk> = {}): ApprovalAsk {
  return {
    principal: aUser('ana'),
    tool: { server_id: 'mall', name: 'refund' },
    definition_hash: 'd1',
    args: { order: randomUUID() },
    call_id: 'c1',
    reason: 'it is destructive',
    description: 'Pays an order back',
    ...fields,
  }
}

/** Decides the newest approvals, decided ones too, and uses each; those that it could use. */
export async function* useNewest(approvals: Approvals): AsyncGenerator<string> {
  // SQLite answers within the turn: in a loop nothing else would ever be let in.
  await nextLoop()
  for (const { approval_id, action_request } of await approvals.list(aUser('ana'), newest)) {
    await approvals.decide(aUser('ana'), approval_id, yes).catch(() => {})
    const call = anAsk({ args: action_request.args })
    if (await approvals.use('t1', approval_id, call)) yield approval_id
  }
}

const newest = { limit: 10, offset: 0 }

export function aRow(fields: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    approval_id: randomUUID(),
    tenant_id: 't1',
    status: 'pending',
    caller: 'caller',
    user_id: 'ana',
    agent_id: null,
    session_id: null,
    run_id: null,
    assignee: null,
    tool_call_id: 'c1',
    server_id: 'mall',
    tool_name: 'refund',
    definition_hash: 'd1',
    digest: 'digest',
    action_request: '{}',
    reason: '',
    decision: null,
    message: null,
    via: null,
    decided_by: null,
    decided_at: null,
    decision_details: null,
    used_at: null,
    asked: 1,
    created_at: 1_000,
    expires_at: 301_000,
    ...fields,
  }
}
