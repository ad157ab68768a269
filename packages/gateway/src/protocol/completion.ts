import { isPlainObject } from '@dataagent/schema/base'
import type { Reply } from './contract.ts'
import { rpcCodes, toFaultReply } from './faults.ts'
import type { Asking, FeatureServers } from './feature-servers.ts'
import type { createPrompts } from './prompts.ts'
import type { createResources } from './resources.ts'

export interface CompletionOptions {
  servers: FeatureServers
  prompts: ReturnType<typeof createPrompts>
  resources: ReturnType<typeof createResources>
}

/** `completion/complete`, of whoever has the prompt or the resource. */
export function createCompletion({ servers, prompts, resources }: CompletionOptions) {
  async function findOwner(asking: Asking, ref: Record<string, unknown>) {
    if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
      const owner = await prompts.findOwner(asking, ref.name)
      return owner && { server: owner.server, ref: { ...ref, name: owner.name } }
    }
    if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string') return undefined
    const server = await resources.findOwner(asking, ref.uri)
    return server && { server, ref }
  }

  return async (asking: Asking): Promise<Reply> => {
    const { ref, argument, context } = asking.request.params ?? {}
    if (!isPlainObject(ref) || !isPlainObject(argument)) {
      return toFaultReply(rpcCodes.params, 'completion/complete needs a ref and an argument.')
    }
    const owner = await findOwner(asking, ref)
    if (owner === undefined) return toFaultReply(rpcCodes.params, 'The ref is not known.')
    const params = { ref: owner.ref, argument, ...(context !== undefined && { context }) }
    const { capabilities, server_id } = owner.server
    if (!Object.hasOwn(capabilities, 'completions')) return nothing(asking)
    const reply = await servers.answer(asking, server_id, params)
    return reply.kind === 'result' ? typed(reply.result, asking) : reply
  }
}

/** A server that completes nothing has no suggestions. */
function nothing(asking: Asking): Reply {
  return typed({ completion: { values: [], total: 0, hasMore: false } }, asking)
}

function typed(result: Record<string, unknown>, { exchange }: Asking): Reply {
  const { resultType: _type, ...rest } = result
  const isModern = exchange.era === 'modern'
  return { kind: 'result', result: isModern ? { ...rest, resultType: 'complete' } : rest }
}
