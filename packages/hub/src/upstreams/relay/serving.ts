import type { Clock } from '@dataagent/guard'
import { closedError } from '../calls/errors.ts'
import type { ToldWishes } from '../links/borrowed-wishes.ts'
import type { Link, LinkOptions } from '../links/link.ts'
import type { RefusedWish } from '../links/wishes.ts'
import { createCallNotices } from './call-notices.ts'
import type {
  CallRequest,
  Description,
  Downward,
  Request,
  Upward,
  WishRequest,
} from './messages.ts'
import { createRemoteQuestions } from './remote-questions.ts'
import { toWireError, toWireRefusal } from './wire-error.ts'

/** A connection that this process holds, as others may use it. */
export interface Served extends Pick<Link, 'call' | 'ask' | 'refresh' | 'reconnect'> {
  readonly fence: number
  describe(): Description
  wish(from: string, told: ToldWishes): Promise<RefusedWish[] | undefined>
  /** It is in use elsewhere. */
  keep(): void
}

/** Answers what other processes ask of the connections that this one holds. */
export interface Serving {
  serve(pool: string, served: Served): () => void
  asked(message: Upward): void
  /** Ends what is under way for others; settles when they are told. */
  close(): Promise<void>
}

export interface ServingOptions {
  clock: Clock
  answer(to: string, message: Downward): Promise<void>
}

/** What is answered sooner than this needs no confirmation. */
const ackAfterMs = 1_000

export function createServing({ clock, answer }: ServingOptions): Serving {
  const pools = new Map<string, Served>()
  const running = new Map<string, AbortController>()
  const ends = new Set<Promise<void>>()
  const questions = createRemoteQuestions({ clock, tell: answer })
  const noticesOf = createCallNotices({ clock, answer })

  return {
    serve(pool, served) {
      pools.set(pool, served)
      return () => {
        if (pools.get(pool) === served) pools.delete(pool)
      }
    },
    asked(message) {
      if (message.kind === 'keep') pools.get(message.pool)?.keep()
      else if (message.kind === 'cancel') running.get(message.id)?.abort()
      else if (message.kind === 'answer' || message.kind === 'asking') questions.heard(message)
      else begin(message)
    },
    async close() {
      for (const controller of running.values()) controller.abort()
      await Promise.all(ends)
    },
  }

  function begin(request: Request): void {
    const end = respond(request).finally(() => ends.delete(end))
    ends.add(end)
  }

  /** Never rejects: an answer that cannot be sent is missed by the one who asked. */
  async function respond(request: Request): Promise<void> {
    const { id, from } = request
    const controller = new AbortController()
    running.set(id, controller)
    const cancelAck = clock.after(ackAfterMs, () => {
      void answer(from, { kind: 'ack', id }).catch(ignore)
    })
    try {
      const value = await run(request, controller.signal)
      await answer(from, { kind: 'done', id, value })
    } catch (error) {
      await answer(from, { kind: 'failed', id, error: toWireError(error) }).catch(ignore)
    } finally {
      cancelAck()
      running.delete(id)
    }
  }

  async function run(request: Request, signal: AbortSignal): Promise<unknown> {
    const served = pools.get(request.pool)
    if (served?.fence !== request.fence) throw notHeld()
    switch (request.kind) {
      case 'call':
      case 'ask':
        return await call(served, request, signal)
      case 'wish':
      case 'wish_change':
        return (await served.wish(request.from, toTold(request)))?.map(toWireRefusal) ?? null
      case 'describe':
        return served.describe()
      case 'refresh':
        return await served.refresh({ signal })
      case 'reconnect':
        return await served.reconnect({ signal })
    }
  }

  async function call(served: Served, request: CallRequest, signal: AbortSignal) {
    const { kind, tool, args, timeoutMs, caller, trace, meta } = request
    const { onProgress, onNotice, end } = noticesOf(request)
    const options: LinkOptions = {
      ...{ signal, timeoutMs, caller, trace, meta, questions: questions.of(request) },
      ...(request.wantsProgress && { onProgress }),
      ...(request.wantsNotices && { onNotice, logLevel: request.logLevel }),
    }
    try {
      if (kind === 'call') return await served.call(tool, args, options)
      return await served.ask({ method: tool, params: args }, options)
    } finally {
      end()
    }
  }
}

function toTold({ uris, level, base, revision, dropped }: WishRequest): ToldWishes {
  return { uris, level, base, revision, dropped }
}

function notHeld() {
  return closedError('The connection to the server is held by another process by now.', false)
}

function ignore(): void {}
