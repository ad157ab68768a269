import { roleSchema } from '@dataagent/schema'
import { jointRole, type Principal, type StillMay } from '../identity/index.ts'
import type { RunRow } from '../ports/index.ts'

export interface FormerPrincipal {
  principal: Principal
  /** False for one who may do nothing any more: what they left is ended. */
  mayGoOn: boolean
  /** Whether they have all the rights that the run began with. */
  isAsBefore: boolean
}

/** Who had begun a run, with no more rights than they have now. */
export async function toFormerPrincipal(
  stillMay: StillMay,
  { tenant_id, user_id, role, api_key }: RunRow,
): Promise<FormerPrincipal> {
  const known = await stillMay({ tenant_id, user_id, user_key_id: api_key })
  const then = roleSchema.parse(role)
  const now = known && jointRole(then, known.principal.role)
  if (known === undefined || now === undefined || now === 'auditor') {
    const principal = { tenant_id, user_id, role: then, ...(api_key !== null && { api_key }) }
    return { principal, mayGoOn: false, isAsBefore: false }
  }
  return { principal: { ...known.principal, role: now }, mayGoOn: true, isAsBefore: now === then }
}
