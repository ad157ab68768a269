import type { Client, SocketState } from '@dataagent/client'
import type {
  ApprovalDecidedEvent,
  DecisionRequestInput,
  HITLRequestEvent,
  Notice,
  SentEvent,
  UnknownEvent,
} from '@dataagent/schema'
import type { CloseReason } from '../hitl/index.ts'

export interface ConversationOptions {
  client: Pick<Client, 'connect' | 'chat'>
  session_id: string
  onEvent(event: SentEvent): void
  /** Something of its state has changed: runs, approvals, the connection. */
  onChange(): void
  /** A message did not reach the agent. */
  onRefused(message: string, error: unknown): void
  /** The servers of the user, or what is known of them, changed. */
  onServersChanged(): void
}

/** One session as it is followed from the terminal. */
export interface Conversation extends Disposable {
  readonly isRunning: boolean
  /** Whether all that was said before has been shown. */
  readonly isCaughtUp: boolean
  readonly link: SocketState
  /** Approvals that wait for a person, oldest first. */
  readonly pending: readonly HITLRequestEvent[]
  /** How one that waits no longer came to its end. */
  howDecided(approval_id: string): CloseReason
  send(message: string): void
  /** Goes on with a turn that failed. Rejects where there is none. */
  resume(): Promise<void>
  cancel(): void
  decide(approval_id: string, decision: DecisionRequestInput): Promise<void>
}

/** Follows the session from its beginning on; see `ChatSocket` for what a cut line does. */
export function openConversation(options: ConversationOptions): Conversation {
  const { client, session_id, onEvent, onChange, onRefused, onServersChanged } = options
  const pending = new Map<string, HITLRequestEvent>()
  const decided = new Map<string, CloseReason>()
  let isRunning = false
  let isCaughtUp = false
  let link: SocketState = { status: 'connecting' }

  function take(event: SentEvent): void {
    if (isEvent('user_message', event)) isRunning = true
    else if (isEvent('hitl_request', event)) pending.set(event.approval_id, event)
    else if (isEvent('approval_decided', event)) {
      decided.set(event.approval_id, toCloseReason(event))
      pending.delete(event.approval_id)
    } else if (isEvent('done', event)) {
      isRunning = false
      pending.clear()
    }
    onEvent(event)
    onChange()
  }

  function hear(notice: Notice | UnknownEvent): void {
    if (notice.event_type === 'caught_up') isCaughtUp = true
    else if (notice.event_type === 'mcp_servers_changed') onServersChanged()
    onChange()
  }

  const socket = client.connect(session_id, {
    onEvent: take,
    onNotice: hear,
    onState(state) {
      link = state
      // Nothing more is heard of the turn, nor of what it asked.
      if (state.status === 'closed') {
        isRunning = false
        pending.clear()
      }
      onChange()
    },
  })

  return {
    get isRunning() {
      return isRunning
    },
    get isCaughtUp() {
      return isCaughtUp
    },
    get link() {
      return link
    },
    get pending() {
      return [...pending.values()]
    },
    howDecided: (approval_id) => decided.get(approval_id) ?? 'withdrawn',
    send(message) {
      isRunning = true
      socket.send(message).accepted.catch((error: unknown) => {
        isRunning = false
        onRefused(message, error)
        onChange()
      })
      onChange()
    },
    async resume() {
      isRunning = true
      onChange()
      try {
        // What follows the first event is heard by the socket.
        for await (const _ of client.chat.resumeStream(session_id)) return
      } catch (error) {
        isRunning = false
        onChange()
        throw error
      }
    },
    cancel: () => socket.cancel(),
    decide: (approval_id, decision) => socket.decide(approval_id, decision),
    [Symbol.dispose]: () => socket.close(),
  }
}

type Kinds = Extract<SentEvent, { event_type: string }>

function isEvent<T extends 'user_message' | 'hitl_request' | 'approval_decided' | 'done'>(
  type: T,
  event: SentEvent,
): event is Extract<Kinds, { event_type: T }> {
  return event.event_type === type
}

function toCloseReason({ via, decision }: ApprovalDecidedEvent): CloseReason {
  if (via === 'expiry') return 'expired'
  if (via === 'withdrawal') return 'withdrawn'
  return decision.type === 'approve' ? 'allowed' : 'rejected'
}
