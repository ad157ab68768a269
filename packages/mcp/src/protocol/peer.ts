import type { Clock } from '@dataagent/guard'
import type { Progress, RequestOptions } from '../client/contract.ts'
import { isMcpError, rpcError } from '../errors.ts'
import type { JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from '../rpc/messages.ts'
import type { Transport } from '../transports/transport.ts'
import { createDeadlines } from './deadlines.ts'
import { type Meta, withMeta } from './meta.ts'
import { PendingCall } from './pending-call.ts'

export interface PeerOptions {
  transport: Transport
  clock: Clock
  /** For calls that say nothing else. */
  timeoutMs: number
  onWarning(text: string): void
}

export interface PeerCallOptions extends RequestOptions {
  /** For HTTP alone. */
  headers?: Record<string, string> | undefined
}

/** The server as one who answers requests: ids, deadlines, cancel and progress. */
export interface Peer {
  /** What every request carries in `_meta` from now on. */
  envelope: Meta | undefined
  /** Whether the server is told by a message that a call is no longer waited for. */
  tellsCancel: boolean
  /** Sends a request and gives its result. Rejects with an McpError. */
  call(
    method: string,
    params?: Record<string, unknown>,
    options?: PeerCallOptions,
  ): Promise<unknown>
  send(message: JsonRpcNotification | JsonRpcResponse): Promise<void>
  /** Hands a progress notification to the call that it belongs to. */
  onProgress(params: Record<string, unknown>): void
  /** The calls under way. */
  pending(): Iterable<PendingCall>
  close(): void
}

/** Creates the peer at the other end of `transport`. */
export function createPeer({ transport, clock, timeoutMs, onWarning }: PeerOptions): Peer {
  const deadlines = createDeadlines(clock)
  const pending = new Set<PendingCall>()
  const watched = new Map<unknown, (progress: Progress) => void>()
  let lastId = 0

  const peer: Peer = {
    envelope: undefined,
    tellsCancel: true,
    call,
    send: (message) => transport.send(message),
    onProgress: tellProgress,
    pending: () => pending,
    close: () => deadlines.close(),
  }
  return peer

  async function call(
    method: string,
    params?: Record<string, unknown>,
    options: PeerCallOptions = {},
  ): Promise<unknown> {
    const pendingCall = begin(method, options)
    try {
      const { signal } = pendingCall
      const request = toRequest(pendingCall, params, options)
      const answer = await transport.call(request, { signal, headers: options.headers })
      if ('error' in answer) throw rpcError(answer.error)
      return answer.result
    } catch (error) {
      const told = pendingCall.explain(error)
      if (pendingCall.ending !== undefined && told.mayHaveRun) tellCancelled(pendingCall)
      throw told
    } finally {
      end(pendingCall)
    }
  }

  function begin(method: string, options: PeerCallOptions): PendingCall {
    const pendingCall = new PendingCall({
      id: lastId + 1,
      method,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: options.signal,
      clock,
      deadlines,
    })
    lastId += 1
    pending.add(pendingCall)
    if (options.onProgress !== undefined) watched.set(lastId, options.onProgress)
    return pendingCall
  }

  function end(pendingCall: PendingCall): void {
    pendingCall.release()
    pending.delete(pendingCall)
    watched.delete(pendingCall.id)
  }

  function toRequest(
    { id, method }: PendingCall,
    params: Record<string, unknown> | undefined,
    { meta, trace, onProgress }: PeerCallOptions,
  ): JsonRpcRequest {
    const progressToken = onProgress === undefined ? undefined : id
    const full = withMeta(params, { envelope: peer.envelope, meta, trace, progressToken })
    return full === undefined
      ? { jsonrpc: '2.0', id, method }
      : { jsonrpc: '2.0', id, method, params: full }
  }

  /** A server must not be asked to cancel `initialize` (2025-11-25, basic/utilities/cancellation). */
  function tellCancelled({ id, method, ending }: PendingCall): void {
    if (!peer.tellsCancel || method === 'initialize') return
    const reason = ending === 'timeout' ? 'The call took too long' : 'The caller cancelled'
    const params = { requestId: id, reason }
    transport
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      .catch((error: unknown) => {
        if (isMcpError(error, 'closed')) return
        onWarning(`the server could not be told that "${method}" was cancelled`)
      })
  }

  function tellProgress({
    progressToken,
    progress,
    total,
    message,
  }: Record<string, unknown>): void {
    const watcher = watched.get(progressToken)
    if (watcher === undefined || typeof progress !== 'number') return
    watcher({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    })
  }
}
