import { createQuestionMatcher } from '@dataagent/data'
import type { Principal } from '@dataagent/hub'
import type { DataQuestion } from '@dataagent/schema'
import type { Matcher } from './verified-hint.ts'

export interface QuestionMatchersOptions {
  /** Questions of a tenant that an administrator has verified. */
  verifiedOf(tenant_id: string): Promise<readonly DataQuestion[]>
}

interface Kept {
  /** What the matcher was made of. */
  edition: string
  matcher: Matcher
}

const keptTenants = 200

/** Matchers by tenant: making one takes longer than to look whether its questions are the same. */
export function createQuestionMatchers({ verifiedOf }: QuestionMatchersOptions) {
  const kept = new Map<string, Kept>()

  return async ({ tenant_id }: Principal): Promise<Matcher> => {
    const questions = await verifiedOf(tenant_id)
    const edition = questions
      .map(({ question_id, updated_at }) => `${question_id}@${updated_at}`)
      .join()
    const known = kept.get(tenant_id)
    if (known?.edition === edition) return known.matcher
    const matcher = createQuestionMatcher(questions)
    kept.set(tenant_id, { edition, matcher })
    const [oldest] = kept.keys()
    if (kept.size > keptTenants && oldest !== undefined) kept.delete(oldest)
    return matcher
  }
}
