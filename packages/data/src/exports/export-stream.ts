import type { DataColumn, DataRow } from '@dataagent/schema'
import { AppError } from '@dataagent/schema/base'

/** A result to be written, such as a running query. Its batches are read once. */
export interface ExportedResult {
  columns: readonly DataColumn[]
  batches: AsyncIterable<readonly DataRow[]>
}

/**
 * The bytes of a file, made as they are taken: whoever reads slowly slows the query. Leaving the
 * loop leaves the query. Read it once.
 */
export interface ExportStream extends AsyncIterable<Uint8Array> {
  /** Written so far, without the heading. */
  readonly rows: number
}

/**
 * The batches, until `signal` aborts; then the wait for the next one ends at once with `cancelled`.
 * A source that still works on it is told, but not waited for.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  if (signal === undefined) return yield* source
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await nextUnlessAborted(iterator, signal)
      if (step.done) return
      yield step.value
    }
  } finally {
    const left = Promise.resolve(iterator.return?.())
    if (signal.aborted) left.catch(() => {})
    else await left
  }
}

/** Not by Promise.race with one promise of the signal: that would keep every batch. */
async function nextUnlessAborted<T>(iterator: AsyncIterator<T>, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<T>>()
  const stop = () => reject(new AppError('cancelled', 'The export was stopped'))
  if (signal.aborted) stop()
  else iterator.next().then(resolve, reject)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
