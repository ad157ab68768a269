import type { ServerQuestions } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'

/** How many questions of servers may be open in this process at once. */
export interface QuestionLimits {
  perTenant: number
  perServer: number
}

export interface Asking {
  tenant_id: string
  server_id: string
}

export interface OpenQuestions {
  /**
   * The same questions, as far as there is room: a form that is one too many is dismissed, and a
   * model's answer refused.
   */
  bound(questions: ServerQuestions, by: Asking): ServerQuestions
}

/** While they are open, calls have no slot: this is what bounds them. */
const defaults: QuestionLimits = { perTenant: 200, perServer: 50 }

export function createOpenQuestions(given: Partial<QuestionLimits> = {}): OpenQuestions {
  const limits = { ...defaults, ...given }
  const counts = new Map<string, number>()
  const add = (key: string, by: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }

  async function within<T>({ tenant_id, server_id }: Asking, ask: () => Promise<T>) {
    const server = `${tenant_id}\n${server_id}`
    const isFull =
      (counts.get(tenant_id) ?? 0) >= limits.perTenant ||
      (counts.get(server) ?? 0) >= limits.perServer
    if (isFull) return 'full'
    for (const key of [tenant_id, server]) add(key, 1)
    try {
      return await ask()
    } finally {
      for (const key of [tenant_id, server]) add(key, -1)
    }
  }

  return {
    bound: ({ elicit, sample, listRoots }, by) => ({
      elicit:
        elicit &&
        (async (params, context) => {
          const answer = await within(by, async () => elicit(params, context))
          return answer === 'full' ? { action: 'cancel' } : answer
        }),
      sample:
        sample &&
        (async (params, context) => {
          const answer = await within(by, async () => sample(params, context))
          if (answer !== 'full') return answer
          throw new AppError('rate_limited', 'Too many questions are open: ask again later.')
        }),
      listRoots,
    }),
  }
}
