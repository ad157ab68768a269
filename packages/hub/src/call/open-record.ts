import type { CallRecord } from '../audit/index.ts'
import type { CallContext } from '../call-context.ts'
import type { Span } from '../tracing/index.ts'

interface RecordStart {
  call_id: string
  tool_name: string
  span: Span
  now: number
}

/** The record of a call that has just begun: nothing is known of its tool yet. */
export function openRecord(
  context: CallContext,
  { call_id, tool_name, span, now }: RecordStart,
): CallRecord {
  const { principal } = context
  return {
    call_id,
    tenant_id: principal.tenant_id,
    trace_id: span.trace_id,
    span_id: span.span_id,
    source: context.source,
    user_id: principal.user_id,
    session_id: context.session_id ?? null,
    run_id: context.run?.run_id ?? null,
    agent_id: principal.agent_id ?? null,
    api_key: principal.api_key ?? null,
    group_id: principal.group_id ?? null,
    server_id: null,
    tool_name,
    schema_version: null,
    definition_hash: null,
    policy_revision: 0,
    decided_by: null,
    input_validation: 'not_reached',
    output_validation: 'not_reached',
    approval_id: null,
    attempts: 0,
    started_at: now,
    ended_at: now,
    duration_ms: 0,
    status: 'ok',
    error: null,
    args_digest: null,
    args: null,
    result: null,
  }
}
