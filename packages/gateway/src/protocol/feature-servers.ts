import type { Clock } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import { AppError } from '@dataagent/schema/base'
import { toCallContext } from './call-context.ts'
import type { Caller, Exchange, Reply, RpcRequest } from './contract.ts'
import { toCallFaultReply } from './faults.ts'
import { createFeatureLists, type ListAge, type ListKind } from './feature-lists.ts'
import type { Item } from './kept-lists.ts'

export interface FeatureServersOptions {
  hub: Pick<Hub, 'features'>
  holdMs: number
  clock: Clock
}

export interface Asking {
  caller: Caller
  request: RpcRequest
  exchange: Exchange
}

/** A server of the group that has something besides tools. */
export type FeatureServer = ReturnType<Hub['features']['list']>[number]

/** One member of a list, and whose it is. */
export interface Member {
  server: FeatureServer
  item: Item
}

export interface Gathered {
  /** Of the server that was registered first they come first. */
  members: Member[]
  /** False where a server is left out that may have answered later. */
  isWhole: boolean
}

/** Asks the servers of a group for what is not a tool. */
export function createFeatureServers({ hub, holdMs, clock }: FeatureServersOptions) {
  const lists = createFeatureLists({ hub, clock })

  async function ask(asking: Asking, server_id: string, params = asking.request.params) {
    const { caller, request, exchange } = asking
    const context = toCallContext(caller, request, { exchange, holdMs })
    const { method } = request
    return hub.features.ask(context, { server_id, method, params: params ?? {} })
  }

  /** Who was registered first comes first: no other takes over what it has. */
  function having({ principal }: Caller, capability: string): FeatureServer[] {
    const servers = hub.features.list({ principal })
    return servers
      .filter(({ capabilities }) => Object.hasOwn(capabilities, capability))
      .sort(byRegistration)
  }

  return {
    having,
    all: ({ principal }: Caller): readonly FeatureServer[] => hub.features.list({ principal }),
    ask,
    /** The answer of one server, as it is; `params` replace those of the request. */
    async answer(
      asking: Asking,
      server_id: string,
      params?: Record<string, unknown>,
    ): Promise<Reply> {
      const outcome = await ask(asking, server_id, params)
      if (outcome.status !== 'ok') return toCallFaultReply(outcome.error)
      return { kind: 'result', result: outcome.result }
    },
    /**
     * The members of a list of all servers that have it. One that fails is left out, and one that
     * takes too long for a while: it hides no other, and delays them once.
     */
    async gather(asking: Asking, kind: ListKind, age: ListAge): Promise<Gathered> {
      const servers = having(asking.caller, kind.capability)
      const given = await Promise.all(
        servers
          .filter((server) => server.lists.includes(kind.judgedAs))
          .map(async (server) => ({ server, ...(await lists.get(asking, server, kind, age)) })),
      )
      const toMembers = ({ server, items }: (typeof given)[number]): Member[] =>
        items.map((item) => ({ server, item }))
      return { members: given.flatMap(toMembers), isWhole: given.every((one) => one.isWhole) }
    },
    close: lists.close,
  }
}

function byRegistration(a: FeatureServer, b: FeatureServer): number {
  if (a.created_at !== b.created_at) return a.created_at - b.created_at
  return a.server_id < b.server_id ? -1 : Number(a.server_id > b.server_id)
}

/** Nobody has it who could be asked: one that could not may. */
export function notKnownNow(what: string): AppError {
  const message = `Whose ${what} is cannot be told now: a server does not answer. Try again later.`
  return new AppError('unavailable', message)
}

export type FeatureServers = ReturnType<typeof createFeatureServers>

/**
 * What a list or a reading carries in the modern era. How long it holds its server may say, for
 * whom it is not: here it was given to one caller, whatever the server thinks of others.
 */
export function withModernParts(
  result: Record<string, unknown>,
  { era }: Exchange,
): Record<string, unknown> {
  if (era === 'modern') {
    return { ttlMs: 0, ...result, cacheScope: 'private', resultType: 'complete' }
  }
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...legacy } = result
  return legacy
}
