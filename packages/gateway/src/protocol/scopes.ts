import { type Hub, platformTenant } from '@dataagent/hub'
import type { GroupNames } from '../groups/index.ts'
import type { Caller, Reply, RpcRequest } from './contract.ts'
import { invalidCredential, rpcCodes } from './faults.ts'

export interface ScopesOptions {
  hub: Pick<Hub, 'catalogue'>
  names: Pick<GroupNames, 'refOf'>
}

/** A token that may only read calls tools that only read; for others it needs a wider one. */
export function createScopes({ hub, names }: ScopesOptions) {
  function onlyReads({ principal, group_id }: Caller, name: unknown): boolean {
    const ref = typeof name === 'string' ? names.refOf(group_id, name) : undefined
    if (ref === undefined) return false
    const entry =
      hub.catalogue.get(principal.tenant_id, ref) ?? hub.catalogue.get(platformTenant, ref)
    return entry?.tool.definition.annotations?.readOnlyHint === true
  }

  return {
    refuse(caller: Caller, { params }: RpcRequest): Reply | undefined {
      if (caller.scopes.includes('mcp:call') || onlyReads(caller, params?.name)) return undefined
      const detail = 'This token may only read. Authorise again with the scope mcp:call.'
      const data = { error_code: 'forbidden', required_scope: 'mcp:call', detail }
      const error = { code: rpcCodes.params, message: invalidCredential, data }
      return { kind: 'error', error, status: 403 }
    },
  }
}
