import type { CatalogueEntry } from '../catalogue/index.ts'
import type { Verdict } from './contract.ts'

/** Some of our own tools say of each call whether it asks. */
export function byArguments(
  verdict: Verdict,
  entry: CatalogueEntry | undefined,
  args: Record<string, unknown>,
): Verdict {
  if (verdict.status !== 'ask' || verdict.unless_asked === undefined) return verdict
  const approval = entry?.own?.approval
  const isCalm = typeof approval === 'function' && approval(args) === 'allow'
  return isCalm ? verdict.unless_asked : verdict
}
