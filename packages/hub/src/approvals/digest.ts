import { sha256, toCanonicalJson } from '../canonical-json.ts'
import { toCallerKey } from '../principal.ts'
import type { BoundCall } from './contract.ts'

/**
 * What a decision is bound to: this caller, this tool under this definition, these arguments. A
 * change of any of them is another digest.
 */
export function toDigest({ principal, tool, definition_hash, args }: BoundCall): string {
  const { tenant_id } = principal
  const { server_id, name } = tool
  const caller = toCallerKey(principal)
  return sha256(toCanonicalJson({ tenant_id, server_id, name, definition_hash, args, caller }))
}
