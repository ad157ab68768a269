import type { Catalogue } from './catalogue/index.ts'
import type { Explanation, JudgedContext, Policy } from './policy/index.ts'
import { isAdministrator, isPlatformAdministrator, type Principal } from './principal.ts'
import type { ToolRef } from './tool-ref.ts'

/**
 * Which list, rule or default of which revision decides a call, and why. A caller learns of its own
 * tools alone; an administrator of the caller's tenant, given as `by`, of refusals too. Undefined
 * where there is no such tool, or several.
 */
export type Explain = (
  context: JudgedContext,
  tool: string | ToolRef,
  by?: Principal,
) => Explanation | undefined

export function createExplain(means: {
  policy: Pick<Policy, 'resolve' | 'explain'>
  catalogue: Pick<Catalogue, 'named' | 'get'>
}): Explain {
  const { policy, catalogue } = means

  function find(tenant_id: string, tool: string | ToolRef) {
    if (typeof tool !== 'string') return catalogue.get(tenant_id, tool)
    const [only, ...others] = catalogue.named(tenant_id, tool)
    return others.length === 0 ? only : undefined
  }

  return (context, tool, by) => {
    const found = policy.resolve(context, tool)
    if (found.status === 'found') return policy.explain(context, found.entry)
    if (!by || !mayLookInto(by, context.principal.tenant_id)) return undefined
    const entry = found.status === 'unknown' && find(context.principal.tenant_id, tool)
    return entry ? policy.explain(context, entry) : undefined
  }
}

function mayLookInto(by: Principal, tenant_id: string): boolean {
  return isPlatformAdministrator(by) || (isAdministrator(by) && by.tenant_id === tenant_id)
}
