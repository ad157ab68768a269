import type { WebSocketMessageInput } from '@dataagent/schema'
import { ClientError } from '../client-error.ts'

const refusalsMax = 5
/** How much longer than it asks for a busy session is left alone, at most. */
const busyFactorMax = 16

interface Waiting {
  key: string
  message: WebSocketMessageInput
  refusals: number
  busies: number
  /** The server may have it: it was sent, and nothing was said of it. */
  isSent: boolean
  /** It is to be taken back, should the server not have it. */
  isUnwanted: boolean
  accepted: PromiseWithResolvers<void>
}

/** What a refusal means for the message under way. */
export type Refusal =
  | { status: 'final'; error: ClientError }
  /** May pass after a time, unless it is said too often. */
  | { status: 'later'; error: ClientError; afterMs: number }
  /** Something else has to end first, however long that takes. */
  | { status: 'busy'; afterMs: number }
  /** The server has it already. */
  | { status: 'received' }

export interface LaneOptions {
  send(message: WebSocketMessageInput): void
  /** Whether what is accepted keeps the next waiting until `free`. */
  isHeldByAccepted: boolean
}

/**
 * Messages of one type, one after the other: the next is sent when the one before is accepted or
 * refused, so that a refusal, which names the type alone, is known to be of the one under way.
 */
export interface Lane {
  /** The same key is the same message. What it gives may be ignored. */
  add(key: string, message: WebSocketMessageInput): Promise<void>
  /** The server takes messages: what was under way when it went is sent again. */
  open(): void
  pause(): void
  accept(key: string): void
  /** True where it was not sent; else it is rejected once it is known that it did not arrive. */
  takeBack(key: string): boolean
  refuse(refusal: Refusal): void
  /** What the lane was held by, or was refused for, has ended. */
  free(): void
  /** Refuses all, and what will be added. */
  close(error: ClientError): void
}

export function createLane({ send, isHeldByAccepted }: LaneOptions): Lane {
  const queue: Waiting[] = []
  let isOpen = false
  let phase: 'free' | 'under_way' | 'pausing' | 'held' = 'free'
  let closed: ClientError | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function sendNext(): void {
    const [next] = queue
    if (!isOpen || phase !== 'free' || !next) return
    phase = 'under_way'
    next.isSent = true
    send(next.message)
  }

  function goOn(): void {
    clearTimeout(timer)
    phase = 'free'
    sendNext()
  }

  function goOnAfter(ms: number, meanwhile: 'pausing' | 'held'): void {
    phase = meanwhile
    timer = setTimeout(goOn, ms)
  }

  function settleFirst(settle: (waiting: Waiting) => void): void {
    const first = queue.shift()
    if (first) settle(first)
    goOn()
  }

  return {
    add(key, message) {
      const known = queue.find((waiting) => waiting.key === key)
      if (known) return known.accepted.promise
      const accepted = Promise.withResolvers<void>()
      accepted.promise.catch(() => {})
      if (closed) accepted.reject(closed)
      else queue.push({ key, message, ...fresh, accepted })
      sendNext()
      return accepted.promise
    },
    open() {
      isOpen = true
      // What has arrived was told of before: of the rest, the one that was sent has not.
      if (queue[0]?.isUnwanted) rejectTakenBack(queue.shift() as Waiting)
      for (const waiting of queue) waiting.refusals = 0
      goOn()
    },
    pause() {
      isOpen = false
      clearTimeout(timer)
    },
    accept(key) {
      const at = queue.findIndex((waiting) => waiting.key === key)
      const [done] = at === -1 ? [] : queue.splice(at, 1)
      done?.accepted.resolve()
      if (at !== 0) return
      clearTimeout(timer)
      if (isHeldByAccepted) phase = 'held'
      else goOn()
    },
    takeBack(key) {
      const at = queue.findIndex((waiting) => waiting.key === key)
      const waiting = queue[at]
      if (!waiting) return false
      if (waiting.isSent) {
        waiting.isUnwanted = true
        return false
      }
      queue.splice(at, 1)
      rejectTakenBack(waiting)
      if (at === 0 && phase === 'pausing') goOn()
      return true
    },
    refuse(refusal) {
      const [first] = queue
      if (phase !== 'under_way' || !first) return
      if (refusal.status === 'received') return settleFirst(({ accepted }) => accepted.resolve())
      if (first.isUnwanted) return settleFirst(rejectTakenBack)
      first.isSent = false
      if (refusal.status === 'busy') {
        const factor = Math.min(busyFactorMax, 2 ** first.busies)
        first.busies += 1
        return goOnAfter(refusal.afterMs * factor, 'held')
      }
      first.refusals += 1
      if (refusal.status === 'later' && first.refusals < refusalsMax)
        return goOnAfter(refusal.afterMs, 'pausing')
      settleFirst(({ accepted }) => accepted.reject(refusal.error))
    },
    free() {
      if (phase === 'held') goOn()
    },
    close(error) {
      closed = error
      clearTimeout(timer)
      for (const { accepted } of queue.splice(0)) accepted.reject(error)
    },
  }
}

const fresh = { refusals: 0, busies: 0, isSent: false, isUnwanted: false }

function rejectTakenBack({ accepted }: Waiting): void {
  const about = { status: 0, error_code: 'cancelled' }
  accepted.reject(new ClientError('The message was taken back before it was sent.', about))
}
