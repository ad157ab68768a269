import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { Progress, ServerNotice, ServerQuestions } from '@dataagent/mcp'
import { cancelledError, closedError, timeoutError } from '../calls/errors.ts'
import { createPausableTimer } from '../calls/pausable-timer.ts'
import { type Answering, createAnswering } from './answering.ts'
import type { CallRequest, Downward, Place, PlainRequest, Upward, WishRequest } from './messages.ts'
import { fromWireError } from './wire-error.ts'

type Ask = Omit<CallRequest, Envelope> | Omit<WishRequest, Envelope> | Omit<PlainRequest, Envelope>
type Envelope = 'id' | 'from'

export interface AskOptions {
  /** The process that holds the connection. */
  to: string
  timeoutMs: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
  onNotice?: ((notice: ServerNotice) => void) | undefined
  questions?: ServerQuestions | undefined
}

/** Asks other processes, and knows what is still to be answered. */
export interface Asking {
  ask(request: Ask, options: AskOptions): Promise<unknown>
  answered(message: Downward): void
  /** What was asked of that holder will not be answered. */
  lost(to: string, place: Place): void
  /** As `lost`, for all: answers may have been missed. */
  lostAll(): void
}

interface Pending extends AskOptions {
  place: Place
  settle: PromiseWithResolvers<unknown>
  answering: Answering | undefined
  cancelAckTimer(): void
}

export interface AskingOptions {
  owner: string
  clock: Clock
  send(to: string, message: Upward): Promise<void>
}

/** A holder that is there answers sooner, or confirms that it has been reached. */
const ackMs = 5_000
/** The holder keeps the deadline; this is for one that no longer does. */
const overtimeMs = 1_000

export function createAsking({ owner, clock, send }: AskingOptions): Asking {
  const pending = new Map<string, Pending>()

  return {
    async ask(request, options) {
      const { to, timeoutMs, signal, questions } = options
      if (signal?.aborted) throw cancelledError(signal, false)
      const id = randomBytes(16).toString('hex')
      const settle = Promise.withResolvers<unknown>()
      const giveUp = (error: Error) => {
        settle.reject(error)
        void send(to, { kind: 'cancel', id }).catch(ignore)
      }
      const onAbort = () => giveUp(cancelledError(signal, true))
      const cancelAckTimer = clock.after(ackMs, () => giveUp(silentError()))
      const onLate = () => giveUp(lateError(timeoutMs))
      const timer = createPausableTimer(clock, timeoutMs + overtimeMs, onLate)
      const answering =
        questions &&
        createAnswering({ questions, clock, timer, send: (message) => send(to, message) })
      signal?.addEventListener('abort', onAbort, { once: true })
      pending.set(id, { ...options, place: request, settle, answering, cancelAckTimer })
      try {
        send(to, { ...request, id, from: owner }).catch((error) => settle.reject(notSent(error)))
        return await settle.promise
      } finally {
        pending.delete(id)
        cancelAckTimer()
        timer.cancel()
        answering?.end()
        signal?.removeEventListener('abort', onAbort)
      }
    },
    answered(message) {
      const asked = pending.get(message.id)
      if (asked === undefined) return
      asked.cancelAckTimer()
      if (message.kind === 'progress') asked.onProgress?.(message.progress)
      if (message.kind === 'notice') asked.onNotice?.(message.notice)
      if (message.kind === 'question') void asked.answering?.asked(message)
      if (message.kind === 'question_over') asked.answering?.over(message.question)
      if (message.kind === 'done') asked.settle.resolve(message.value)
      if (message.kind === 'failed') asked.settle.reject(fromWireError(message.error))
    },
    lost(to, { pool, fence }) {
      for (const { place, settle, to: asked } of pending.values()) {
        const isIt = asked === to && place.pool === pool && place.fence === fence
        if (isIt) settle.reject(goneError())
      }
    },
    lostAll() {
      for (const { settle } of pending.values()) settle.reject(goneError())
    },
  }
}

function goneError() {
  return closedError('The process that held the connection to the server has gone.', true)
}

function silentError() {
  return closedError('The process that holds the connection to the server is silent.', true)
}

function lateError(ms: number) {
  return timeoutError(`the server did not answer within ${ms} ms`, true)
}

/** What failed to be written may have been written all the same. */
function notSent(cause: unknown) {
  const error = closedError('The KV is away: the call could not be passed on.', true)
  return Object.assign(error, { cause })
}

function ignore(): void {}
