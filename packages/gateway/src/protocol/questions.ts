import type { CallContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema/base'
import type { Exchange } from './contract.ts'

type Questions = NonNullable<CallContext['questions']>

/**
 * What a server may ask while a call of this client is under way: as much as the client said it can
 * be asked.
 */
export function createQuestions(exchange: Exchange): Questions {
  const { capabilities } = exchange
  const ask =
    (method: string) =>
    async (params: object, { signal, key }: { signal: AbortSignal; key?: string | undefined }) => {
      if (isUrlMode(params) && capabilities.elicitation?.url === undefined) {
        throw new AppError('unavailable', 'The client cannot send its user to a page.')
      }
      return exchange.ask(method, params as Record<string, unknown>, { signal, key })
    }
  return {
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
}

function isUrlMode(params: object): boolean {
  return (params as { mode?: unknown }).mode === 'url'
}
