import { toNotice } from '../protocol/notices.ts'
import type { Peer } from '../protocol/peer.ts'
import { quote } from '../protocol/words.ts'
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../rpc/messages.ts'
import type { Answers } from './answers.ts'
import { ownerOf } from './call-owner.ts'
import type { ServerIdentity, ServerNotice } from './contract.ts'
import type { Listening } from './listening.ts'

export interface IncomingOptions {
  peer: Peer
  answers: Answers
  listening: Listening
  server(): ServerIdentity | undefined
  onNotice(notice: ServerNotice): void
  onWarning(text: string): void
}

/**
 * Hands what a server says of its own accord to the part that it concerns. What a host throws stays
 * here: the transport must read on.
 */
export function createIncoming(options: IncomingOptions) {
  const { peer, answers, listening, server, onNotice, onWarning } = options
  const isModern = () => server()?.era === 'modern'

  return (message: JsonRpcRequest | JsonRpcNotification, call?: RequestId): void => {
    try {
      route(message, call)
    } catch {
      onWarning(`what the host does with ${quote(message.method)} failed`)
    }
  }

  function route(message: JsonRpcRequest | JsonRpcNotification, call?: RequestId): void {
    if (!('id' in message)) hear(message, call)
    else if (!isModern()) answers.answer(message, call)
    else onWarning(`a request of the server was not answered: ${quote(message.method)}`)
  }

  function hear(notification: JsonRpcNotification, call?: RequestId): void {
    const { method, params = {} } = notification
    if (method === 'notifications/progress') peer.progressed(params)
    else if (method === 'notifications/cancelled') cancelled(params.requestId)
    else if (method === 'notifications/subscriptions/acknowledged') listening.acknowledged(params)
    else tell(notification, call)
  }

  /** A server of the modern era asks nothing that it could cancel: it ends a stream this way. */
  function cancelled(requestId: unknown): void {
    if (isModern()) listening.endedByServer(requestId)
    else answers.cancelled(requestId)
  }

  function tell(notification: JsonRpcNotification, call?: RequestId): void {
    const notice = toNotice(notification)
    if (notice === undefined || (isModern() && !listening.isWanted(notification))) return
    onNotice(notice)
    const isOfCall = notice.kind === 'log' || notice.kind === 'elicitation_complete'
    if (isOfCall) ownerOf(peer, call)?.options.onNotice?.(notice)
  }
}
