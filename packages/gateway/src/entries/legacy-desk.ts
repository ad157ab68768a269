import { AppError } from '@dataagent/schema/base'
import { type GatewayLimits, type LimitVerdict, withinLimits } from '../limits/index.ts'
import {
  type Caller,
  type ClientCapabilities,
  type Exchange,
  type Reply,
  type RpcAnswer,
  type RpcNotification,
  type RpcRequest,
  rpcCodes,
  toFaultReply,
} from '../protocol/index.ts'
import type { Answers } from './answers.ts'
import type { MayTell, UnderWay } from './under-way.ts'

export interface LegacyDeskOptions {
  respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply>
  answers: Answers
  underWay: UnderWay
  limits: GatewayLimits
}

/** What is known of a client of the legacy era when it asks. */
export interface LegacyClient {
  /** Where its answers and cancels belong: the session, or else one request alone. */
  scope: string
  /** Whether other processes may hold what belongs there. */
  isShared: boolean
  version: string
  capabilities: ClientCapabilities
  log_level: string | undefined
}

/** Where messages to it go while a request is under way; undefined where there is no way. */
export interface LegacyWay {
  signal: AbortSignal
  send: ((text: string, what?: 'notice') => void) | undefined
}

/** Serves one client's messages, of whichever transport, in the revisions with a handshake. */
export function createLegacyDesk({ respond, answers, underWay, limits }: LegacyDeskOptions) {
  function toExchange(client: LegacyClient, way: LegacyWay, signal: AbortSignal): Exchange {
    const { version, capabilities, log_level, scope } = client
    const { send } = way
    return {
      ...{ era: 'legacy', version, capabilities, signal, logLevel: log_level, asker: scope },
      notify: (method, params) =>
        send?.(JSON.stringify({ jsonrpc: '2.0', method, params }), 'notice'),
      async ask(method, params, options) {
        if (send === undefined) throw new AppError('unavailable', 'The client cannot be asked.')
        const both = AbortSignal.any([signal, options.signal])
        return answers.ask({ scope, method, params }, { signal: both, send })
      },
    }
  }

  /** What this process can do with a message alone costs nothing; what others hear counts. */
  function toMayTell(caller: Caller, client: LegacyClient, method: string): MayTell | undefined {
    if (!client.isShared) return undefined
    return () => limits.take(caller, { method, session_id: client.scope })
  }

  return {
    async serve(caller: Caller, request: RpcRequest, client: LegacyClient, way: LegacyWay) {
      if (request.method === 'initialize') {
        return toFaultReply(rpcCodes.request, 'The session was initialised already.')
      }
      const { signal, end } = underWay.begin(client.scope, request.id, way.signal)
      try {
        return await respond(caller, request, toExchange(client, way, signal))
      } finally {
        end()
      }
    },
    /** What is above the limit is left. Never rejects. */
    async hear(
      caller: Caller,
      { method, params }: RpcNotification,
      client: LegacyClient,
    ): Promise<LimitVerdict> {
      if (method !== 'notifications/cancelled') return withinLimits
      return underWay.cancel(client.scope, params?.requestId, toMayTell(caller, client, method))
    },
    /** As `hear` does. */
    receive(caller: Caller, answer: RpcAnswer, client: LegacyClient): Promise<LimitVerdict> {
      return answers.receive(client.scope, answer, toMayTell(caller, client, 'answer'))
    },
  }
}

export type LegacyDesk = ReturnType<typeof createLegacyDesk>
