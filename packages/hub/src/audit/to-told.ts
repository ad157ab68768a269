import { isPlainObject, readJson } from '@dataagent/schema'
import type { CallRecord } from './contract.ts'

/**
 * The record as its caller may read it. A tool that is not the caller's is told apart from none in
 * no field: one who guesses names must not learn from their own log which exist.
 */
export function toTold<R extends CallRecord>(record: R): R {
  const asked = toAskedName(record)
  if (asked === undefined) return record
  const unresolved = { server_id: null, schema_version: null, definition_hash: null }
  return { ...record, ...unresolved, decided_by: null, tool_name: asked }
}

/** What the caller asked for, where they were told that there is no such tool. */
function toAskedName({ status, error }: CallRecord): string | undefined {
  if (status !== 'denied' || error === null) return undefined
  const fault = readFault(error)
  if (fault.code !== 'tool_not_allowed') return undefined
  return typeof fault.tool_name === 'string' ? fault.tool_name : ''
}

function readFault(error: string): Record<string, unknown> {
  try {
    const fault = readJson(error)
    return isPlainObject(fault) ? fault : {}
  } catch {
    return {}
  }
}
