import type { Catalogue, CatalogueEntry } from './catalogue/index.ts'
import {
  byArguments,
  type Explanation,
  type JudgedContext,
  type Policy,
  type Step,
  toStepText,
} from './policy/index.ts'
import { isAdministrator, isPlatformAdministrator, type Principal } from './principal.ts'
import type { ToolRef } from './tool-ref.ts'
import type { Validation, Validator } from './validation/index.ts'

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

/** The same of one call: whether its arguments fit, and what the tool makes of them. */
export type ExplainCall = (
  context: JudgedContext,
  call: { tool: string | ToolRef; args: Record<string, unknown> },
  by?: Principal,
) => Promise<CallExplanation | undefined>

export interface CallExplanation extends Explanation {
  arguments: Validation
}

export function createExplain(means: {
  policy: Pick<Policy, 'resolve' | 'explain'>
  catalogue: Pick<Catalogue, 'named' | 'get'>
  validator: Pick<Validator, 'validate'>
}): { explain: Explain; explainCall: ExplainCall } {
  const { policy, catalogue, validator } = means

  function findNamed(tenant_id: string, tool: string | ToolRef) {
    if (typeof tool !== 'string') return catalogue.get(tenant_id, tool)
    const [only, ...others] = catalogue.named(tenant_id, tool)
    return others.length === 0 ? only : undefined
  }

  function find(context: JudgedContext, tool: string | ToolRef, by: Principal | undefined) {
    const found = policy.resolve(context, tool)
    if (found.status === 'found') return found.entry
    const { tenant_id } = context.principal
    if (!by || !mayLookInto(by, tenant_id) || found.status !== 'unknown') return undefined
    return findNamed(tenant_id, tool)
  }

  return {
    explain(context, tool, by) {
      const entry = find(context, tool, by)
      return entry && policy.explain(context, entry)
    },
    async explainCall(context, { tool, args }, by) {
      const entry = find(context, tool, by)
      if (!entry) return undefined
      const { hash, definition } = entry.tool
      const validation = await validator.validate(`${hash}:in`, definition.inputSchema, args)
      return {
        ...withArguments(policy.explain(context, entry), entry, args),
        arguments: validation,
      }
    },
  }
}

function withArguments(
  explanation: Explanation,
  entry: CatalogueEntry,
  args: Record<string, unknown>,
): Explanation {
  const { verdict, steps } = explanation
  if (verdict.status !== 'ask' || verdict.unless_asked === undefined) return explanation
  const { unless_asked, ...asked } = verdict
  const judged = byArguments(verdict, entry, args)
  const isAsked = judged === verdict
  const what: Step = { kind: 'arguments', asks: isAsked }
  return {
    ...explanation,
    verdict: isAsked ? asked : judged,
    steps: [
      ...steps.map((step) => ({ ...step, decided: false })),
      { what, text: toStepText(what), decided: true },
    ],
  }
}

function mayLookInto(by: Principal, tenant_id: string): boolean {
  return isPlatformAdministrator(by) || (isAdministrator(by) && by.tenant_id === tenant_id)
}
