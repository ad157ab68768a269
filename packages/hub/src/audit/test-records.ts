import { randomUUID } from 'node:crypto'
import type { CallRecord, CallStart } from './contract.ts'

/** A record for tests: what a test does not name is filled in. */
export function aRecord(fields: Partial<CallRecord> = {}): CallRecord {
  return {
    call_id: randomUUID(),
    tenant_id: 't',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: '00f067aa0ba902b7',
    source: 'gateway',
    user_id: 'ana',
    session_id: 's1',
    run_id: null,
    agent_id: 'agent',
    api_key: null,
    group_id: null,
    server_id: 'mall4j',
    tool_name: 'mall4j.order.get_detail',
    schema_version: 1,
    definition_hash: 'a'.repeat(64),
    policy_revision: 7,
    decided_by: '{"rule_id":"r1"}',
    input_validation: 'ok',
    output_validation: 'ok',
    approval_id: null,
    attempts: 1,
    started_at: 1_000,
    ended_at: 1_020,
    duration_ms: 20,
    status: 'ok',
    error: null,
    args_digest: 'b'.repeat(64),
    args: null,
    result: null,
    ...fields,
  }
}

/** The start of the same call. */
export function aStart(record: CallRecord, idempotent = false): CallStart {
  return { idempotent, record }
}
