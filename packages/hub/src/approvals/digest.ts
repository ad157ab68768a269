import { sha256, toCanonicalJson } from '../canonical-json.ts'
import { toCallerKey } from '../principal.ts'
import type { BoundCall } from './contract.ts'

/**
 * What a decision is bound to: this caller, this tool under this definition, these arguments, and
 * for an agent this very call. A change of any of them is another digest.
 */
export function toDigest(call: BoundCall): string {
  const { principal, tool, definition_hash, args, once_for } = call
  const { tenant_id } = principal
  const { server_id, name } = tool
  const caller = toCallerKey(principal)
  const bound = { tenant_id, server_id, name, definition_hash, args, caller }
  return sha256(toCanonicalJson(once_for === undefined ? bound : { ...bound, once_for }))
}
