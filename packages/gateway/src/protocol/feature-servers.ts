import type { Clock } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import { AppError, errorTable, isPlainObject } from '@dataagent/schema/base'
import { toCallContext } from './call-context.ts'
import type { Caller, Exchange, Reply, RpcRequest } from './contract.ts'
import { toCallFaultReply } from './faults.ts'

export interface FeatureServersOptions {
  hub: Pick<Hub, 'features'>
  holdMs: number
  clock: Clock
}

/** For how long a list is waited for, and one that did not come is not asked for again. */
const listMs = 3_000
const slowMs = 30_000

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
  item: Record<string, unknown>
}

export interface Gathered {
  members: Member[]
  /** False where a server is left out that may have answered later. */
  isWhole: boolean
}

/** Asks the servers of a group for what is not a tool. */
export function createFeatureServers({ hub, holdMs, clock }: FeatureServersOptions) {
  const slowUntil = new Map<string, number>()
  const contextOf = ({ caller, request, exchange }: Asking) =>
    toCallContext(caller, request, { exchange, holdMs })

  async function ask(asking: Asking, server_id: string, params = asking.request.params) {
    const { method } = asking.request
    return hub.features.ask(contextOf(asking), { server_id, method, params: params ?? {} })
  }

  function isSlow(key: string): boolean {
    return (slowUntil.get(key) ?? 0) > clock.monotonic()
  }

  function noteSlow(key: string): void {
    for (const known of slowUntil.keys()) if (!isSlow(known)) slowUntil.delete(known)
    slowUntil.set(key, clock.monotonic() + slowMs)
  }

  /** Undefined of a server that did not answer in time, now or a moment ago. */
  async function askSoon(asking: Asking, { tenant_id, server_id, user_id }: FeatureServer) {
    const key = JSON.stringify([tenant_id, server_id, user_id])
    if (isSlow(key)) return undefined
    const late = new AbortController()
    const cancel = clock.after(listMs, () => late.abort())
    const signal = AbortSignal.any([asking.exchange.signal, late.signal])
    const outcome = await ask({ ...asking, exchange: { ...asking.exchange, signal } }, server_id)
    cancel()
    if (outcome.status !== 'ok' && late.signal.aborted) return void noteSlow(key)
    slowUntil.delete(key)
    return outcome
  }

  function having({ principal }: Caller, capability: string): FeatureServer[] {
    const servers = hub.features.list({ principal })
    return servers.filter(({ capabilities }) => Object.hasOwn(capabilities, capability))
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
    async gather(
      asking: Asking,
      { capability, method, member }: { capability: string; method: string; member: string },
    ): Promise<Gathered> {
      const request = { ...asking.request, method, params: {} }
      let isWhole = true
      const lists = await Promise.all(
        having(asking.caller, capability).map(async (server) => {
          const outcome = await askSoon({ ...asking, request }, server)
          if (outcome === undefined || isPassing(outcome)) isWhole = false
          const items = outcome?.status === 'ok' ? outcome.result[member] : []
          return Array.isArray(items) ? items.map((item) => ({ server, item })) : []
        }),
      )
      return { members: lists.flat().filter(({ item }) => isPlainObject(item)), isWhole }
    },
  }
}

type Outcome = Awaited<ReturnType<Hub['features']['ask']>>

/** Whether a server failed that did not answer so itself, and may not fail again. */
function isPassing(outcome: Outcome): boolean {
  if (outcome.status === 'ok' || outcome.error.rpc !== undefined) return false
  return errorTable[outcome.error.code].retryable
}

/** Nobody has it who could be asked: one that could not may. */
export function notKnownNow(what: string): AppError {
  const message = `Whose ${what} is cannot be told now: a server does not answer. Try again later.`
  return new AppError('unavailable', message)
}

export type FeatureServers = ReturnType<typeof createFeatureServers>

/** What a list or a reading carries in the modern era, where the server did not say it. */
export function withModernParts(
  result: Record<string, unknown>,
  { era }: Exchange,
): Record<string, unknown> {
  if (era === 'modern') {
    return { ttlMs: 0, cacheScope: 'private', ...result, resultType: 'complete' }
  }
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...legacy } = result
  return legacy
}
