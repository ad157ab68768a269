import type { CallContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema/base'
import type { Exchange } from './contract.ts'

type Questions = NonNullable<CallContext['questions']>

export interface AskedQuestions {
  questions: Questions
  /** Whether somebody was asked to open a page under that id. */
  hasAsked(elicitationId: string): boolean
}

/** An id is told again when its page is done with; a longer one is not. */
const idMax = 256

/**
 * What a server may ask while a call of this client is under way: as much as the client said it can
 * be asked.
 */
export function createQuestions(exchange: Exchange): AskedQuestions {
  const { capabilities } = exchange
  const pages = new Set<unknown>()
  const ask =
    (method: string) =>
    async (params: object, { signal, key }: { signal: AbortSignal; key?: string | undefined }) => {
      if (isUrlMode(params) && capabilities.elicitation?.url === undefined) {
        throw new AppError('unavailable', 'The client cannot send its user to a page.')
      }
      if (isUrlMode(params)) pages.add((params as { elicitationId?: unknown }).elicitationId)
      return exchange.ask(method, params as Record<string, unknown>, { signal, key })
    }
  const questions: Questions = {
    ...(capabilities.elicitation !== undefined && {
      elicit: ask('elicitation/create') as NonNullable<Questions['elicit']>,
    }),
    ...(capabilities.sampling !== undefined && {
      sample: ask('sampling/createMessage') as NonNullable<Questions['sample']>,
    }),
    ...(capabilities.roots !== undefined && {
      listRoots: async (context) => {
        const result = await ask('roots/list')({}, context)
        const { roots } = result as { roots?: unknown }
        return (Array.isArray(roots) ? roots : []) as never
      },
    }),
  }
  return { questions, hasAsked: (id) => id.length <= idMax && pages.has(id) }
}

function isUrlMode(params: object): boolean {
  return (params as { mode?: unknown }).mode === 'url'
}
