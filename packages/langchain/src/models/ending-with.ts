/** The items of `stream`, until the signal aborts: then it is closed and the reason thrown. */
export async function* endingWith<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const iterator = stream[Symbol.asyncIterator]()
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const stop = () => stopped.reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), stopped.promise])
      isOver = done === true
      if (isOver) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    // A model that does not hear is not waited for.
    if (!isOver) void iterator.return?.().catch(() => {})
  }
}
