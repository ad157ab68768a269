import type { Reach } from '../approvals/index.ts'
import type { CatalogueEntry } from '../catalogue/index.ts'

/**
 * How far a yes to a call of the tool can reach; undefined where that is for the approver to say.
 * A rule knows a tool by its name: not by its arguments, nor by the agent that brings it along.
 */
export function reachOf({ own, isBrought }: CatalogueEntry): Reach | undefined {
  if (typeof own?.approval === 'function') {
    const why = 'whether the tool asks depends on its arguments, so each call is approved alone'
    return { scopes: ['once'], why }
  }
  if (!isBrought) return undefined
  const why = 'the tool belongs to the agent, and another agent may have one of the same name'
  return { scopes: ['once', 'tool'], why }
}
