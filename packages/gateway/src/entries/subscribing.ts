import type { GatewayLimits } from '../limits/index.ts'
import {
  type Caller,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toFaultReply,
  toLimited,
} from '../protocol/index.ts'

/** Of one client, in whichever form it subscribes. */
export const maxSubscriptions = 1_000
export const longestUri = 2_048

/** Gives what is subscribed to from now on for what is now. */
export type ChangeUris = (update: (uris: readonly string[]) => readonly string[]) => Promise<void>

/** `resources/subscribe` of the legacy era: the client's connection or session remembers. */
export interface Subscribing {
  /** Undefined for any other method. */
  answer(caller: Caller, request: RpcRequest, change: ChangeUris): Promise<Reply | undefined>
}

export function createSubscribing(limits: GatewayLimits): Subscribing {
  return {
    async answer(caller, request, change) {
      const { method, params } = request
      if (method !== 'resources/subscribe' && method !== 'resources/unsubscribe') return undefined
      const verdict = await limits.take(caller, request)
      if (verdict.status === 'limited') return toLimited(verdict.retryAfterMs)
      const { uri } = params ?? {}
      if (typeof uri !== 'string' || uri.length > longestUri) {
        return toFaultReply(rpcCodes.params, `Send the uri, of at most ${longestUri} characters.`)
      }
      let isFull = false
      await change((uris) => {
        const others = uris.filter((one) => one !== uri)
        if (method === 'resources/unsubscribe') return others
        isFull = others.length >= maxSubscriptions
        return isFull ? uris : [...others, uri]
      })
      if (!isFull) return { kind: 'result', result: {} }
      return toFaultReply(rpcCodes.params, `At most ${maxSubscriptions} subscriptions.`)
    },
  }
}
