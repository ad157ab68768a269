import {
  type ChatSocket,
  type Client,
  type ConnectOptions,
  isClientError,
  type SocketState,
} from '@dataagent/client'
import { type DecisionRequestInput, isKnownEvent, type Notice } from '@dataagent/schema'
import { type ChatView, createChatLog } from './log/chat-log.ts'

/** A message that waits for the end of the turn before it. */
export interface QueuedMessage {
  id: string
  text: string
}

/** A message on its way: the server has not said that it has it. */
export interface PendingMessage {
  message_id: string
  text: string
  /** Why the server did not take it. */
  error: unknown
}

export interface ChatState {
  view: ChatView
  socket: SocketState
  /** Whether all that happened before has come. */
  isLoaded: boolean
  /** Whether events were missed and have come since. */
  wasAway: boolean
  pending: readonly PendingMessage[]
  queue: readonly QueuedMessage[]
  isStopping: boolean
  /** What was stopped before the server had it: it goes back to where it was written. */
  takenBack: readonly string[]
  /** Why the server does not let the page in. */
  refusal: Refusal | undefined
}

type Refusal = Extract<Notice, { event_type: 'refused' }>

/** A session as it happens, for one page. */
export interface ChatSession {
  readonly session_id: string
  /** The same object until something changes. */
  get(): ChatState
  /** Told at most once per frame. Gives what ends it. */
  subscribe(listener: () => void): () => void
  /** Sends, or queues while a turn is under way. */
  send(text: string): void
  /** Stops what is under way and says this in its place. */
  steer(text: string): void
  /** Stops the run that is under way; what the server does not have yet is taken back. */
  stop(): void
  /** Gives what was taken back, once. */
  collect(): readonly string[]
  /** True for the first that asks: what waits for a person takes the keys once. */
  meets(approval_id: string): boolean
  /** Nothing more is said until this has settled, whichever way. */
  holdFor(work: Promise<unknown>): void
  editQueued(id: string, text: string): void
  removeQueued(id: string): void
  retry(message_id: string): void
  dismiss(message_id: string): void
  decide(approval_id: string, decision: DecisionRequestInput): Promise<void>
  close(): void
}

export interface ChatSessionOptions {
  client: Pick<Client, 'connect'>
  session_id: string
  /** Told of what is not of the session alone: approvals, servers. */
  onNotice: NonNullable<ConnectOptions['onNotice']>
  /** Calls back before the next frame, or soon where no frame is shown. */
  nextFrame(work: () => void): void
}

const idle = new Set(['idle', 'error'])

export function createChatSession(options: ChatSessionOptions): ChatSession {
  const { client, session_id, onNotice, nextFrame } = options
  const log = createChatLog()
  const listeners = new Set<() => void>()
  let socketState: SocketState = { status: 'connecting' }
  let pending: readonly PendingMessage[] = []
  let queue: readonly QueuedMessage[] = []
  let isLoaded = false
  let wasAway = false
  let isStopping = false
  let made: ChatState | undefined
  let isPlanned = false
  let count = 0
  let holds = 0
  let held: { message_id: string; work: () => void }[] = []
  let takenBack: readonly string[] = []
  let refusal: Refusal | undefined
  /** Messages on their way when everything was stopped. */
  const unwanted = new Set<string>()
  const met = new Set<string>()

  function changed(): void {
    made = undefined
    if (isPlanned) return
    isPlanned = true
    nextFrame(() => {
      isPlanned = false
      for (const listener of listeners) listener()
    })
  }

  const isBusy = () => pending.some(({ error }) => error === undefined) || !idle.has(log.status)

  const socket: ChatSocket = client.connect(session_id, {
    onNotice(notice) {
      // What is said of no message is said of the connection.
      if (isRefusal(notice) && notice.in_reply_to === undefined) refusal = notice
      onNotice(notice)
    },
    onEvent(event) {
      log.apply(event)
      if (isKnownEvent(event) && event.event_type === 'user_message') {
        const { message_id } = event
        pending = pending.filter((each) => each.message_id !== message_id)
        // It was stopped, and came through all the same.
        if (unwanted.delete(message_id)) socket.cancel()
      }
      if (event.event_type === 'done') isStopping = false
      // What was missed is shown at once, not as a film of all that happened.
      if (socketState.status !== 'catching_up') changed()
      sendNext()
    },
    onState(state) {
      if (state.status === 'waiting') wasAway = isLoaded
      socketState = state
      if (state.status === 'live') {
        isLoaded = true
        refusal = undefined
        endStop()
      }
      changed()
      if (state.status === 'live') sendNext()
    },
  })

  /** There is no end to wait for where nothing runs. */
  function endStop(): void {
    if (!isBusy()) isStopping = false
  }

  function giveBack(message_id: string): void {
    unwanted.delete(message_id)
    const found = pending.find((each) => each.message_id === message_id)
    if (!found) return
    pending = pending.filter((each) => each !== found)
    takenBack = [...takenBack, found.text]
  }

  function takeBackPending(): void {
    for (const { message_id, error } of pending) {
      if (error !== undefined) continue
      const isHeld = held.some((each) => each.message_id === message_id)
      held = held.filter((each) => each.message_id !== message_id)
      if (isHeld || socket.takeBack(message_id)) giveBack(message_id)
      else unwanted.add(message_id)
    }
  }

  function sendNow(text: string, known?: string): void {
    const { message_id, accepted } = socket.send(
      text,
      known === undefined ? {} : { message_id: known },
    )
    pending = [...pending, { message_id, text, error: undefined }]
    accepted.catch((error) => {
      // It was had already, and its events come.
      if (isClientError(error, 'conflict') && error.details?.received === true) return
      if (isClientError(error, 'cancelled')) giveBack(message_id)
      pending = pending.map((each) => (each.message_id === message_id ? { ...each, error } : each))
      endStop()
      changed()
      if (isClientError(error, 'cancelled')) sendNext()
    })
    changed()
  }

  /** The next in the queue, once nothing is under way. */
  function sendNext(): void {
    const [next, ...rest] = queue
    if (!next || !isLoaded || holds > 0 || isBusy()) return
    queue = rest
    sendNow(next.text)
  }

  function release(): void {
    holds -= 1
    if (holds > 0) return
    const works = held
    held = []
    for (const { work } of works) work()
    sendNext()
  }

  function enqueue(text: string): void {
    count += 1
    queue = [...queue, { id: `q${count}`, text }]
    changed()
  }

  function stop(): void {
    if (!isBusy()) return
    takeBackPending()
    if (isBusy()) {
      isStopping = true
      socket.cancel()
    }
    changed()
    sendNext()
  }

  return {
    session_id,
    get() {
      made ??= {
        ...{ view: log.view(), socket: socketState, isLoaded, wasAway, pending, queue, isStopping },
        ...{ takenBack, refusal },
      }
      return made
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send(text) {
      if (holds > 0 || isBusy() || queue.length > 0) enqueue(text)
      else sendNow(text)
    },
    steer(text) {
      count += 1
      queue = [{ id: `q${count}`, text }, ...queue]
      stop()
      sendNext()
      changed()
    },
    stop,
    collect() {
      const texts = takenBack
      takenBack = []
      if (texts.length > 0) changed()
      return texts
    },
    meets(approval_id) {
      const isFirst = !met.has(approval_id)
      met.add(approval_id)
      return isFirst
    },
    holdFor(work) {
      holds += 1
      void work.then(release, release)
    },
    editQueued(id, text) {
      queue = queue.map((each) => (each.id === id ? { ...each, text } : each))
      changed()
    },
    removeQueued(id) {
      queue = queue.filter((each) => each.id !== id)
      changed()
    },
    retry(message_id) {
      const found = pending.find((each) => each.message_id === message_id)
      if (!found) return
      const again = () => {
        pending = pending.filter((each) => each.message_id !== message_id)
        sendNow(found.text, message_id)
      }
      if (holds === 0) return again()
      pending = pending.map((each) => (each === found ? { ...each, error: undefined } : each))
      held.push({ message_id, work: again })
      changed()
    },
    dismiss(message_id) {
      pending = pending.filter((each) => each.message_id !== message_id)
      changed()
      sendNext()
    },
    decide: (approval_id, decision) => socket.decide(approval_id, decision),
    close: () => socket.close(),
  }
}

function isRefusal(notice: { event_type: string }): notice is Refusal {
  return notice.event_type === 'refused'
}
