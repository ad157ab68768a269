import {
  type Notice,
  parseServerMessage,
  resumeStart,
  type SentEvent,
  type ServerMessage,
} from '@dataagent/schema'
import { ClientError } from '../client-error.ts'
import { isSentEvent } from '../is-sent-event.ts'
import { newId } from '../new-id.ts'
import { createBackoff } from './backoff.ts'
import { toCloseReason, toWords } from './close-reason.ts'
import { type Connection, openConnection } from './connection.ts'
import type {
  ChatSocket,
  CloseReason,
  ConnectOptions,
  SocketConstructor,
  SocketState,
} from './contract.ts'
import { createEventQueues } from './event-queues.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createOutbox } from './outbox.ts'
import { createPosition } from './position.ts'

export interface ChatSocketOptions extends ConnectOptions {
  url: string
  apiKey?: string | undefined
  WebSocket: SocketConstructor
  onUnauthenticated?: ((error: ClientError) => void) | undefined
}

/** A connection that was live for so long was a good one: the next pause is short again. */
const steadyMs = 5_000

export function createChatSocket(options: ChatSocketOptions): ChatSocket {
  const { url, apiKey, WebSocket, signal, heartbeatMs = 20_000 } = options
  const position = createPosition(options.after ?? resumeStart)
  const backoff = createBackoff(options.backoff ?? { firstMs: 250, maxMs: 15_000 })
  const queues = createEventQueues<SentEvent>()
  const outbox = createOutbox((message) => connection?.send(message))
  const heartbeat = createHeartbeat({
    everyMs: heartbeatMs,
    ping: () => connection?.send({ type: 'ping' }),
    onDead: () => comeBack(),
  })
  let state: SocketState = { status: 'connecting' }
  let connection: Connection | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let liveSince: number | undefined
  let retryAfterMs: number | undefined

  function enter(next: SocketState): void {
    state = next
    options.onState?.(next)
  }

  const isClosed = () => state.status === 'closed'

  function connect(): void {
    enter({ status: 'connecting' })
    if (isClosed()) return
    heartbeat.start()
    connection = openConnection({
      ...{ url, WebSocket, onText },
      onOpen: introduce,
      onClose(code) {
        const reason = toCloseReason(code)
        if (reason) finish(reason)
        else comeBack()
      },
    })
  }

  /** All at once: a server that does not hear soon where its client stands begins by itself. */
  function introduce(): void {
    if (apiKey !== undefined) {
      connection?.send({ type: 'authenticate', payload: { api_key: apiKey } })
    }
    connection?.send({ type: 'resume', payload: position.point })
  }

  function leave(): void {
    heartbeat.stop()
    outbox.pause()
    clearTimeout(timer)
    connection?.drop()
    connection = undefined
  }

  function comeBack(): void {
    leave()
    if (liveSince !== undefined && Date.now() - liveSince >= steadyMs) backoff.reset()
    liveSince = undefined
    const ms = backoff.next(retryAfterMs)
    retryAfterMs = undefined
    timer = setTimeout(connect, ms)
    enter({ status: 'waiting', ms })
  }

  function finish(reason: CloseReason): void {
    if (isClosed()) return
    leave()
    signal?.removeEventListener('abort', close)
    const error = new ClientError(toWords(reason), { status: 0, error_code: 'closed' })
    outbox.close(error)
    queues.end(reason === 'closed_by_client' ? undefined : error)
    enter({ status: 'closed', reason })
    if (reason === 'unauthenticated') options.onUnauthenticated?.(error)
  }

  function close(): void {
    finish('closed_by_client')
  }

  function onText(text: string): void {
    heartbeat.heard()
    const message = readMessage(text)
    if (message === undefined) finish('unreadable')
    else if (isSentEvent(message)) takeEvent(message)
    else takeNotice(message as Notice)
  }

  function takeEvent(event: SentEvent): void {
    const taken = position.take(event)
    if (taken.status === 'gap') {
      comeBack()
      return
    }
    outbox.settle(event)
    if (taken.status === 'old') return
    queues.push(taken.event)
    options.onEvent?.(taken.event)
  }

  function takeNotice(notice: Notice): void {
    if (notice.event_type === 'connected') begin(notice)
    if (notice.event_type === 'caught_up') {
      liveSince = Date.now()
      outbox.open()
      enter({ status: 'live' })
    }
    if (notice.event_type === 'going_away') retryAfterMs = notice.retry_after_ms
    outbox.settle(notice)
    if (notice.event_type !== 'pong') options.onNotice?.(notice)
  }

  function begin({ seq, status }: Extract<Notice, { event_type: 'connected' }>): void {
    if (status === 'idle' || status === 'error') outbox.forgetCancel()
    // Text on its way to the log is one row ahead of it.
    if (position.point.seq > seq + 1) finish('log_reset')
    else enter({ status: 'catching_up' })
  }

  signal?.addEventListener('abort', close, { once: true })
  if (signal?.aborted) close()
  else connect()

  return {
    get state() {
      return state
    },
    get point() {
      return position.point
    },
    send(message, { message_id = newId() } = {}) {
      const accepted = outbox.chat({ message, message_id })
      return { message_id, accepted }
    },
    takeBack: outbox.takeBack,
    cancel: outbox.cancel,
    decide: (approval_id, decision) => outbox.decide({ approval_id, decision }),
    close,
    [Symbol.dispose]: close,
    [Symbol.asyncIterator]: queues.iterate,
  }
}

function readMessage(text: string): ServerMessage | undefined {
  try {
    return parseServerMessage(text)
  } catch {
    return undefined
  }
}
