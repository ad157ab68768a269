import type { Clock } from '@dataagent/guard'
import { AppError, type DataColumn, type DataRow, isAppError } from '@dataagent/schema'
import type { RunningQuery } from './contract.ts'

/** A query as its driver has it. */
export interface Cursor {
  readonly columns: readonly DataColumn[]
  /** The next rows, at least one; undefined at the end. Not called again before it has settled. */
  next(): Promise<readonly DataRow[] | undefined>
  /**
   * Ends the query, whatever it is doing, and gives back what it held; a `next` under way rejects.
   * Never rejects; later calls join the first.
   */
  close(): Promise<void>
}

export interface RunNeeds {
  /** Must settle soon after its signal aborts, and hold nothing then. */
  start(signal: AbortSignal): Promise<Cursor>
  signal: AbortSignal | undefined
  timeoutMs: number
  clock: Clock
}

/** Runs a query under its time limit and signal: what ends it is what its reader is told. */
export async function runQuery(needs: RunNeeds): Promise<RunningQuery> {
  const ending = createEnding(needs)
  const { signal } = ending
  try {
    signal.throwIfAborted()
    const cursor = await needs.start(signal)
    // Also where nobody reads at that moment.
    signal.addEventListener('abort', () => void cursor.close(), { once: true })
    if (signal.aborted) await cursor.close()
    signal.throwIfAborted()
    return { columns: cursor.columns, batches: readBatches(cursor) }
  } catch (error) {
    ending.release()
    throw ending.toTold(error)
  }

  async function* readBatches(cursor: Cursor): AsyncGenerator<readonly DataRow[]> {
    try {
      for (;;) {
        signal.throwIfAborted()
        const rows = await cursor.next()
        signal.throwIfAborted()
        if (rows === undefined) return
        yield rows
      }
    } catch (error) {
      throw ending.toTold(error)
    } finally {
      ending.release()
      await cursor.close()
    }
  }
}

type Limits = Pick<RunNeeds, 'signal' | 'timeoutMs' | 'clock'>

/** Runs `work` under a signal and a time of its own. */
export async function withDeadline<T>(
  limits: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = createEnding(limits)
  try {
    ending.signal.throwIfAborted()
    return await work(ending.signal)
  } catch (error) {
    throw ending.toTold(error)
  } finally {
    ending.release()
  }
}

/** A signal that aborts with what is to be told: that time is over, or that it was cancelled. */
function createEnding({ signal, timeoutMs, clock }: Limits) {
  const ending = new AbortController()
  const cancelTimer = clock.after(timeoutMs, () => ending.abort(toTimeout(timeoutMs)))
  const onAbort = () => ending.abort(toCancelled(signal?.reason))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  return {
    signal: ending.signal,
    toTold: (error: unknown) => (ending.signal.aborted ? ending.signal.reason : error),
    release() {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

function toTimeout(timeoutMs: number): AppError {
  return new AppError(
    'timeout',
    `The query was stopped after ${timeoutMs / 1_000} s. Ask for less: filter, aggregate or limit.`,
  )
}

function toCancelled(cause: unknown): AppError {
  if (isAppError(cause)) return cause
  return new AppError('cancelled', 'The query was cancelled.', { cause })
}
