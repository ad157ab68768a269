import type { Clock } from '@dataagent/guard'
import { type Asker, createTally, type Outcome } from '@dataagent/harbor'
import { type AppError, isAppError, type Session } from '@dataagent/schema'
import type { Platform } from '../platform/index.ts'
import type { StartedRun } from '../runs/index.ts'
import { createRowReader, type RowReaderOptions } from './row-reader.ts'

export interface LocalAskerOptions
  extends Pick<Platform, 'sessions' | 'agents' | 'runs' | 'stores'>,
    RowReaderOptions {
  clock: Clock
  assistant_id: string
  /** Told where whoever began the run may do nothing any more. */
  onRefused(error: AppError): void
}

const stopped = { code: 'cancelled', message: 'It was stopped before its end.' }

/**
 * Asks agents of this process, each question in a session of its own, as one who sends a message
 * over REST does: with their tools, policies and approvals, and with nobody there to be asked.
 */
export function createLocalAsker(options: LocalAskerOptions): Asker {
  const { runs, clock, onRefused } = options

  async function ask(message: string, signal: AbortSignal): Promise<Outcome> {
    const tally = createTally(() => clock.monotonic())
    let session: Session | undefined
    try {
      signal.throwIfAborted()
      session = await openSession(options, message)
      await follow(session, message, { signal, onEvent: tally.add })
      return tally.toOutcome(session.session_id, stopped)
    } catch (error) {
      if (isAppError(error, 'unauthenticated')) onRefused(error)
      const failure = signal.aborted ? stopped : toFailure(error)
      return tally.toOutcome(session?.session_id ?? null, failure)
    }
  }

  /** Hands on the events of the turn; resolves when it has ended or, cancelled, is about to. */
  async function follow(
    session: Session,
    message: string,
    { signal, onEvent }: { signal: AbortSignal; onEvent: ReturnType<typeof createTally>['add'] },
  ): Promise<void> {
    const { session_id } = session
    const done = Promise.withResolvers<void>()
    const follower = runs.follow({
      ...{ session_id, after: { seq: 0, offset: 0 } },
      onEvent(event) {
        onEvent(event)
        if (event.event_type === 'done') done.resolve()
      },
    })
    const stop = () => void runs.cancel(session_id).then(() => done.resolve(), done.reject)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const { principal } = options
      const run = await whenFree(clock, signal, () =>
        runs.start({ principal, session, message, canAsk: false, signal }),
      )
      await Promise.race([done.promise, endOf(run).then(() => follower.caughtUp())])
    } finally {
      signal.removeEventListener('abort', stop)
      follower.close()
    }
  }

  return {
    transport: 'local',
    ask: (question, { signal }) => ask(question, signal),
    ...createRowReader(options),
    async [Symbol.asyncDispose]() {},
  }
}

const endOf = ({ ended }: StartedRun) => ended

async function openSession(
  { sessions, agents, stores, principal, assistant_id: asked }: LocalAskerOptions,
  message: string,
): Promise<Session> {
  const { tenant_id, user_id } = principal
  const { assistant_id } = agents.choose(tenant_id, asked)
  const { session_id } = await sessions.getOrCreateSession({ tenant_id, user_id, assistant_id })
  const title = toTitle(message)
  return stores.sessions.update(tenant_id, session_id, ({ metadata }) => ({
    metadata: { ...metadata, title },
  }))
}

/** What people find among their own sessions. */
function toTitle(question: string): string {
  const words = [...question.replaceAll(/\s+/g, ' ').trim()]
  return `Evaluation: ${words.slice(0, 80).join('')}${words.length > 80 ? '…' : ''}`
}

/** A server that is full is no fault of the agent's: the question waits. */
async function whenFree<T>(clock: Clock, signal: AbortSignal, begin: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await begin()
    } catch (error) {
      const data = isAppError(error, 'unavailable') ? error.data : undefined
      const waitMs = data?.retryAfterMs
      if (typeof waitMs !== 'number' || data?.stopping === true) throw error
      await pause(clock, Math.min(waitMs, 5_000), signal)
    }
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  const leave = () => {
    cancel()
    reject(signal.reason)
  }
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', leave))
}

function toFailure(error: unknown): NonNullable<Outcome['error']> {
  if (isAppError(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: 'The turn failed: see the log of the server.' }
}
