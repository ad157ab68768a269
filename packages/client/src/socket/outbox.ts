import {
  type AnyEvent,
  isKnownEvent,
  isNotice,
  type Notice,
  type ServerMessage,
  type WebSocketMessageInput,
} from '@dataagent/schema'
import { ClientError } from '../client-error.ts'
import { mayPass } from '../http/index.ts'
import { createLane, type Refusal } from './lane.ts'

type Payload<T> =
  Extract<WebSocketMessageInput, { type: T }> extends { payload: infer P } ? P : never

/** What a client says, kept until the server has it. */
export interface Outbox {
  chat(payload: Payload<'chat'> & { message_id: string }): Promise<void>
  decide(payload: Payload<'hitl_decision'>): Promise<void>
  /** See `takeBack` of `ChatSocket`. */
  takeBack(message_id: string): boolean
  cancel(): void
  /** Nothing runs that could be meant. */
  forgetCancel(): void
  open(): void
  pause(): void
  /** What a message of the server says about what was sent. */
  settle(message: ServerMessage): void
  close(error: ClientError): void
}

export function createOutbox(send: (message: WebSocketMessageInput) => void): Outbox {
  // A message may have to wait for a run that waits for a decision: each goes its own way.
  const chats = createLane({ send, isHeldByAccepted: true })
  const decisions = createLane({ send, isHeldByAccepted: false })
  const lanes = { chat: chats, hitl_decision: decisions }
  let isOpen = false
  let isCancelWanted = false

  function settleEvent(event: AnyEvent): void {
    if (!isKnownEvent(event)) return
    if (event.event_type === 'user_message') chats.accept(event.message_id)
    if (event.event_type === 'done') chats.free()
    if (event.event_type === 'approval_decided') decisions.accept(event.approval_id)
    // What was to be cancelled has ended, or another run has begun.
    if (event.event_type === 'done' || event.event_type === 'user_message') isCancelWanted = false
  }

  function settleNotice(notice: Notice): void {
    if (notice.event_type === 'approval_changed' && notice.status === 'decided') {
      decisions.accept(notice.approval_id)
    }
    if (notice.event_type !== 'refused') return
    if (notice.in_reply_to === 'cancel') isCancelWanted = false
    const lane =
      Object.hasOwn(lanes, `${notice.in_reply_to}`) && lanes[notice.in_reply_to as 'chat']
    if (lane) lane.refuse(toRefusal(notice))
  }

  return {
    chat: (payload) => chats.add(payload.message_id, { type: 'chat', payload }),
    decide: (payload) => decisions.add(payload.approval_id, { type: 'hitl_decision', payload }),
    takeBack: chats.takeBack,
    cancel() {
      isCancelWanted = true
      if (isOpen) send({ type: 'cancel' })
    },
    forgetCancel() {
      isCancelWanted = false
    },
    open() {
      isOpen = true
      if (isCancelWanted) send({ type: 'cancel' })
      chats.open()
      decisions.open()
    },
    pause() {
      isOpen = false
      chats.pause()
      decisions.pause()
    },
    settle(message) {
      if (isNotice(message)) settleNotice(message)
      else settleEvent(message)
    },
    close(error) {
      chats.close(error)
      decisions.close(error)
    },
  }
}

/** After what time a busy session is asked again that does not say so. */
const busyMs = 1_000

function toRefusal(notice: Extract<Notice, { event_type: 'refused' }>): Refusal {
  const { message, error_code, details, retry_after_ms: retryAfterMs } = notice
  if (error_code === 'conflict' && details?.received === true) return { status: 'received' }
  if (error_code === 'conflict' && details?.busy === true)
    return { status: 'busy', afterMs: retryAfterMs ?? busyMs }
  const error = new ClientError(message, { status: 0, error_code, details, retryAfterMs })
  if (!mayPass(error) || retryAfterMs === undefined) return { status: 'final', error }
  return { status: 'later', error, afterMs: retryAfterMs }
}
