import type { Clock } from '@dataagent/guard'
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import type { RequestOptions } from '../client/contract.ts'
import { isMcpError, type McpError, rpcError } from '../errors.ts'
import type { Hold } from '../hold.ts'
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from '../rpc/messages.ts'
import type { Transport } from '../transports/transport.ts'
import { type AbandonedCalls, createAbandonedCalls, unansweredKinds } from './abandoned-calls.ts'
import { createDeadlines } from './deadlines.ts'
import { type Meta, metaKeys, withMeta } from './meta.ts'
import { createOutbox } from './outbox.ts'
import { PendingCall } from './pending-call.ts'
import { toTimeoutMs } from './timeout.ts'

export interface PeerOptions {
  transport: Transport
  clock: Clock
  /** For calls that say nothing else. */
  timeoutMs: number
  /** Held while a call is waited for, unless it is endless. */
  hold: Hold
  onWarning(text: string): void
}

export interface PeerCallOptions extends RequestOptions {
  /** For HTTP alone. */
  headers?: Record<string, string> | undefined
  /** In place of those of the envelope, where there is one. */
  capabilities?: ClientCapabilities | undefined
  /** The answer may take for ever. */
  endless?: boolean | undefined
  /** The server is never told that nobody waits any more. */
  quiet?: boolean | undefined
  /** Told the id before the request is sent. */
  onId?: ((id: number) => void) | undefined
}

/** The server as one who answers requests: ids, deadlines, cancel and progress. */
export interface Peer {
  /** What every request carries in `_meta`. */
  envelope: Meta | undefined
  /** Whether the server is told by a message that a call is no longer waited for. */
  tellsCancel: boolean
  /** The calls under way, by id. */
  readonly pending: ReadonlyMap<unknown, PendingCall>
  /** Those that were given up. */
  readonly abandoned: AbandonedCalls
  /** Sends a request and gives its result. Rejects with an McpError. */
  call(method: string, params?: Params, options?: PeerCallOptions): Promise<unknown>
  /** Sends a notification or an answer, within the time of a call. Rejects with an McpError. */
  send(message: JsonRpcNotification | JsonRpcResponse): Promise<void>
  /** Hands a progress notification to the call that it belongs to. */
  progressed(params: Record<string, unknown>): void
  /** The transport has had the answer to a call that it has given up. */
  answeredLate(id: RequestId): void
  /** Stops the timer. To be called when the transport is closed. */
  close(): void
}

type Params = Record<string, unknown>

/** Creates the peer at the other end of `transport`. */
export function createPeer(peerOptions: PeerOptions): Peer {
  const { transport, clock, timeoutMs, hold, onWarning } = peerOptions
  const deadlines = createDeadlines(clock)
  const time = { clock, deadlines }
  const pending = new Map<unknown, PendingCall>()
  const abandoned = createAbandonedCalls(clock)
  const cancels = createOutbox({
    send: tellCancelled,
    onLeftOut: () => onWarning('the server could not be told of calls that were cancelled'),
  })
  let lastId = 0

  const peer: Peer = {
    envelope: undefined,
    tellsCancel: true,
    pending,
    abandoned,
    call,
    send,
    progressed,
    answeredLate,
    close() {
      cancels.close()
      deadlines.close()
    },
  }
  return peer

  async function call(method: string, params?: Params, options: PeerCallOptions = {}) {
    const { headers, endless } = options
    const begun = begin(method, options)
    if (!endless) hold.hold()
    try {
      const request = toRequest(begun, params, options)
      const answer = await transport.call(request, { signal: begun.signal, headers, endless })
      if ('error' in answer) throw rpcError(answer.error)
      return answer.result
    } catch (error) {
      const told = begun.explain(error)
      if (mayGoOn(begun, told)) abandoned.add(begun)
      const isTold = peer.tellsCancel && !options.quiet
      if (begun.ending && told.mayHaveRun && isTold) cancels.send(begun)
      throw told
    } finally {
      pending.delete(begun.id)
      begun.release()
      if (!endless) hold.release()
    }
  }

  function begin(method: string, options: PeerCallOptions): PendingCall {
    const { signal, onProgress, questions, caller, onNotice, endless } = options
    const ms = endless ? Number.POSITIVE_INFINITY : toTimeoutMs(options.timeoutMs, timeoutMs)
    const given = { method, timeoutMs: ms, signal, onProgress, questions, caller, onNotice }
    const begun = new PendingCall(lastId + 1, given, time)
    lastId = begun.id
    pending.set(begun.id, begun)
    options.onId?.(begun.id)
    return begun
  }

  function toRequest(
    { id, options: { method, onProgress } }: PendingCall,
    params: Params | undefined,
    { meta, trace, capabilities }: PeerCallOptions,
  ): JsonRpcRequest {
    const progressToken = onProgress === undefined ? undefined : id
    const envelope = capabilities === undefined ? peer.envelope : offering(capabilities)
    const full = withMeta(params, { envelope, meta, trace, progressToken })
    if (full === undefined) return { jsonrpc: '2.0', id, method }
    return { jsonrpc: '2.0', id, method, params: full }
  }

  function offering(capabilities: ClientCapabilities): Meta | undefined {
    return peer.envelope && { ...peer.envelope, [metaKeys.clientCapabilities]: capabilities }
  }

  async function send(message: JsonRpcNotification | JsonRpcResponse): Promise<void> {
    const method = 'method' in message ? message.method : 'answer'
    const options = { method, timeoutMs, signal: undefined, onProgress: undefined }
    const begun = new PendingCall(0, options, time)
    try {
      await transport.send(message, { signal: begun.signal })
    } catch (error) {
      throw begun.explain(error)
    } finally {
      begun.release()
    }
  }

  /** It may have left the transport and not this place. */
  function answeredLate(id: RequestId): void {
    const leaving = pending.get(id)
    if (leaving !== undefined) leaving.isAnsweredLate = true
    abandoned.remove(id)
  }

  async function tellCancelled({ id, ending, options }: PendingCall): Promise<void> {
    const reason = ending === 'timeout' ? 'The call took too long' : 'The caller cancelled'
    const params = { requestId: id, reason }
    try {
      await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    } catch (error) {
      if (isMcpError(error, 'closed')) return
      onWarning(`the server could not be told that "${options.method}" was cancelled`)
    }
  }

  function progressed({ progressToken, progress, total, message }: Params): void {
    const watcher = pending.get(progressToken)?.options.onProgress
    if (watcher === undefined || typeof progress !== 'number') return
    watcher({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    })
  }
}

/** Whether the server may still be at work on a call that has failed so. */
function mayGoOn({ isAnsweredLate }: PendingCall, { mayHaveRun, kind }: McpError): boolean {
  return mayHaveRun && !isAnsweredLate && unansweredKinds.has(kind)
}
