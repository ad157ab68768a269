import type { SentEvent, SessionInfo, UsageEvent } from '@dataagent/schema'
import type { Link } from '../link/index.ts'
import { type Conversation, openConversation } from './conversation.ts'

export interface CurrentSessionOptions {
  link(): Promise<Link>
  /** Of new sessions. */
  assistant_id(): string
  isAuto(): boolean
  onEvent(event: SentEvent): void
  onChange(): void
  /** Gives back what could not be sent. */
  onRefused(message: string, error: unknown): void
  onServersChanged(): void
}

/** What was used in the session so far: another one after each use. */
export interface Spent {
  model: string | undefined
  cost: number | undefined
}

/** The session that the terminal shows: none until something was said in it. */
export interface CurrentSession extends Disposable {
  readonly info: SessionInfo | undefined
  readonly conversation: Conversation | undefined
  readonly spent: Spent
  /** Messages that wait for the turn under way. */
  readonly queued: readonly string[]
  /** Begins the session with the first message. */
  send(message: string): void
  /** Out of the queue: it is being changed. */
  takeBack(index: number): void
  /** All of those that wait, in one text: nothing more is sent by itself. */
  takeAll(): string
  /** Shows one that is there. */
  open(info: SessionInfo): Promise<void>
  /** The next message begins a new one. */
  leave(): void
  /** The platform has gone: no turn is under way, and what was not heard is given back. */
  lose(): void
  /** The platform has this of it now; nothing where another one is shown by then. */
  setInfo(info: SessionInfo): void
}

const nothing: Spent = { model: undefined, cost: undefined }

export function createCurrentSession(options: CurrentSessionOptions): CurrentSession {
  const { onChange, onRefused } = options
  const queued: string[] = []
  let info: SessionInfo | undefined
  let conversation: Conversation | undefined
  let spent = nothing
  let isBeginning = false
  /** Another one each time that what is shown is left: what was begun for it comes too late. */
  let visit = {}

  function connect(link: Link, session: SessionInfo): void {
    info = session
    conversation = openConversation({
      ...{ client: link.client, session_id: session.session_id },
      // What waits behind it was meant to follow it.
      onRefused: (message, error) => giveBack([message, ...queued.splice(0)], error),
      onServersChanged: options.onServersChanged,
      onEvent(event) {
        if (event.event_type === 'usage') count(event as SentEvent & UsageEvent)
        options.onEvent(event)
        if (event.event_type === 'done') sendNext()
      },
      onChange,
    })
    onChange()
  }

  function count({ model, cost }: UsageEvent): void {
    const sum = cost === undefined ? spent.cost : (spent.cost ?? 0) + cost
    spent = { model, cost: sum }
  }

  /** One after the other: what is typed meanwhile can still be taken back. */
  function sendNext(): void {
    if (conversation?.isRunning) return
    const message = queued.shift()
    if (message !== undefined) conversation?.send(message)
    onChange()
  }

  /** Begins the session; what was typed meanwhile is sent in it, one after the other. */
  async function begin(): Promise<void> {
    const of = visit
    isBeginning = true
    try {
      const link = await options.link()
      if (of !== visit) return
      const session = await create(link)
      if (of !== visit) return
      isBeginning = false
      connect(link, session)
      sendNext()
    } catch (error) {
      if (of !== visit) return
      isBeginning = false
      giveBack(queued.splice(0), error)
    }
  }

  async function create({ client }: Link): Promise<SessionInfo> {
    let session = await client.sessions.create({ assistant_id: options.assistant_id() })
    const { session_id } = session
    // A person may choose otherwise while it is being made.
    for (let isAuto = false; isAuto !== options.isAuto(); ) {
      isAuto = !isAuto
      session = await client.sessions.update(session_id, { auto_approve: isAuto })
    }
    return session
  }

  function giveBack(messages: readonly string[], error: unknown): void {
    onRefused(messages.join('\n\n'), error)
    onChange()
  }

  function takeAll(): string {
    const text = queued.splice(0).join('\n\n')
    onChange()
    return text
  }

  function leave(): void {
    visit = {}
    isBeginning = false
    conversation?.[Symbol.dispose]()
    conversation = undefined
    info = undefined
    spent = nothing
    queued.length = 0
    onChange()
  }

  return {
    get info() {
      return info
    },
    get conversation() {
      return conversation
    },
    get spent() {
      return spent
    },
    queued,
    send(message) {
      queued.push(message)
      if (conversation) return sendNext()
      if (!isBeginning) void begin()
      onChange()
    },
    takeBack(index) {
      queued.splice(index, 1)
      onChange()
    },
    takeAll,
    async open(session) {
      leave()
      const of = visit
      const link = await options.link()
      if (of === visit) connect(link, session)
    },
    leave,
    lose: () => conversation?.[Symbol.dispose](),
    setInfo(session) {
      if (info?.session_id === session.session_id) info = session
      onChange()
    },
    [Symbol.dispose]: leave,
  }
}
