import { hash } from 'node:crypto'
import type { CallLogRow, CallRecord } from './contract.ts'
import { fitsColumns, hasUnstorable, toStorable } from './storable.ts'

/** What the first row of every chain has before it. */
export const noHash = '0'.repeat(64)

export interface ChainPlace {
  writer: string
  seq: number
  prev_hash: string
}

/** A row, and the JSON that holds all of it. */
export interface LinkedRow {
  row: CallLogRow
  json: string
}

/** Makes a record the next row of its tenant's chain. */
export function toLinkedRow(
  record: CallRecord,
  placeOf: (tenant_id: string) => ChainPlace,
): LinkedRow {
  const fitting = fitsColumns(record) ? record : toStorable(record)
  let row = toRow(fitting, placeOf(fitting.tenant_id))
  let json = JSON.stringify(row)
  if (hasUnstorable(json)) {
    const storable = toStorable(record)
    row = toRow(storable, placeOf(storable.tenant_id))
    json = JSON.stringify(row)
  }
  row.hash = hash('sha256', row.prev_hash + json)
  return { row, json: `${json.slice(0, -1)},"hash":"${row.hash}"}` }
}

/**
 * SHA-256 over the hash of the row before and the canonical JSON of all other fields: any change of
 * a row, and any change of their order, changes every hash behind it.
 */
export function toRowHash(row: CallLogRow): string {
  return hash('sha256', row.prev_hash + JSON.stringify(toRow(row, row)))
}

/** With its keys in the order of the alphabet, so that its JSON is canonical, and without hash. */
function toRow(record: CallRecord, { writer, seq, prev_hash }: ChainPlace): CallLogRow {
  return {
    agent_id: record.agent_id,
    api_key: record.api_key,
    approval_id: record.approval_id,
    args: record.args,
    args_digest: record.args_digest,
    attempts: record.attempts,
    call_id: record.call_id,
    decided_by: record.decided_by,
    definition_hash: record.definition_hash,
    duration_ms: record.duration_ms,
    ended_at: record.ended_at,
    error: record.error,
    group_id: record.group_id,
    input_validation: record.input_validation,
    output_validation: record.output_validation,
    policy_revision: record.policy_revision,
    prev_hash,
    result: record.result,
    run_id: record.run_id,
    schema_version: record.schema_version,
    seq,
    server_id: record.server_id,
    session_id: record.session_id,
    source: record.source,
    span_id: record.span_id,
    started_at: record.started_at,
    status: record.status,
    tenant_id: record.tenant_id,
    tool_name: record.tool_name,
    trace_id: record.trace_id,
    user_id: record.user_id,
    writer,
  } as CallLogRow
}
