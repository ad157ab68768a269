import { AppError } from '@dataagent/schema/base'
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
import type { UnderWay } from './under-way.ts'

export interface LegacyDeskOptions {
  respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply>
  answers: Answers
  underWay: UnderWay
}

/** What is known of a client of the legacy era when it asks. */
export interface LegacyClient {
  /** Where its answers and cancels belong: the session, or else one request alone. */
  scope: string
  version: string
  capabilities: ClientCapabilities
  log_level: string | undefined
}

/** Where messages to it go while a request is under way; undefined where there is no way. */
export interface LegacyWay {
  signal: AbortSignal
  send: ((text: string) => void) | undefined
}

/** Serves one client's messages, of whichever transport, in the revisions with a handshake. */
export function createLegacyDesk({ respond, answers, underWay }: LegacyDeskOptions) {
  function toExchange(client: LegacyClient, way: LegacyWay, signal: AbortSignal): Exchange {
    const { version, capabilities, log_level, scope } = client
    const { send } = way
    return {
      ...{ era: 'legacy', version, capabilities, signal, logLevel: log_level },
      notify: (method, params) => send?.(JSON.stringify({ jsonrpc: '2.0', method, params })),
      async ask(method, params, options) {
        if (send === undefined) throw new AppError('unavailable', 'The client cannot be asked.')
        const both = AbortSignal.any([signal, options.signal])
        return answers.ask({ scope, method, params }, { signal: both, send })
      },
    }
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
    hear({ method, params }: RpcNotification, { scope }: Pick<LegacyClient, 'scope'>): void {
      if (method === 'notifications/cancelled') underWay.cancel(scope, params?.requestId)
    },
    receive: (answer: RpcAnswer, { scope }: Pick<LegacyClient, 'scope'>): void =>
      answers.receive(scope, answer),
  }
}

export type LegacyDesk = ReturnType<typeof createLegacyDesk>
