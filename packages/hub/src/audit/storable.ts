import type { CallRecord } from './contract.ts'

interface Column {
  /** Characters at the most, or a whole number. */
  holds: number | 'integer'
  /** Whether it may be null. */
  isOptional: boolean
}

/** The width of an id column in every database. */
const id: Column = { holds: 191, isOptional: false }
const optionalId: Column = { holds: 191, isOptional: true }
/** Rows stay well below the smallest packet that a database server takes. */
const optionalText: Column = { holds: 256 * 1024, isOptional: true }
const integer: Column = { holds: 'integer', isOptional: false }

/** What each column takes, in the order of the alphabet. */
export const recordColumns: Record<keyof CallRecord, Column> = {
  agent_id: optionalId,
  api_key: optionalId,
  approval_id: optionalId,
  args: optionalText,
  args_digest: optionalId,
  attempts: integer,
  call_id: id,
  decided_by: optionalText,
  definition_hash: optionalId,
  duration_ms: integer,
  ended_at: integer,
  error: optionalText,
  group_id: optionalId,
  input_validation: id,
  output_validation: id,
  policy_revision: integer,
  result: optionalText,
  run_id: optionalId,
  schema_version: { holds: 'integer', isOptional: true },
  server_id: optionalId,
  session_id: optionalId,
  source: id,
  span_id: id,
  started_at: integer,
  status: id,
  tenant_id: id,
  tool_name: { holds: 512, isOptional: false },
  trace_id: id,
  user_id: optionalId,
}

const columns = Object.entries(recordColumns) as [keyof CallRecord, Column][]

/** Whether every value fits its column; says nothing of the characters. */
export function fitsColumns(record: CallRecord): boolean {
  for (let at = 0; at < columns.length; at += 1) {
    const [name, { holds, isOptional }] = columns[at]!
    const value = record[name]
    if (value === null) {
      if (!isOptional) return false
    } else if (holds === 'integer') {
      if (!Number.isSafeInteger(value)) return false
    } else if (typeof value !== 'string' || value.length > holds) return false
  }
  return true
}

/**
 * Whether JSON text holds a character that some database cannot keep, or changes: PostgreSQL has no
 * NUL, UTF-8 no lone surrogate. JSON escapes both.
 */
export function hasUnstorable(json: string): boolean {
  return json.includes('\\u0000') || json.includes('\\ud')
}

/**
 * The same record as every database keeps it: text that is too long is cut, a character that cannot
 * be stored is replaced, numbers are whole, what must be there is. A row that no database takes
 * would hold up all others.
 */
export function toStorable(record: CallRecord): CallRecord {
  const storable: Record<string, unknown> = {}
  for (const [name, column] of columns) storable[name] = toColumn(record[name] ?? null, column)
  return storable as unknown as CallRecord
}

function toColumn(value: string | number | null, { holds, isOptional }: Column) {
  if (value === null && isOptional) return null
  if (holds === 'integer') return Number.isFinite(value) ? Math.trunc(Number(value)) : 0
  return String(value ?? '')
    .slice(0, holds)
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
}
