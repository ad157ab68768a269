/** Hands what is pushed to every iterator that is open. */
export interface EventQueues<E> {
  push(event: E): void
  /** After what was pushed, all end; with an error, they throw it. */
  end(error?: Error): void
  iterate(): AsyncIterator<E, void>
}

export function createEventQueues<E>(): EventQueues<E> {
  const open = new Set<(event: E) => void>()
  const wakers = new Set<() => void>()
  let ended: { error: Error | undefined } | undefined

  function wake(): void {
    for (const waker of wakers) waker()
    wakers.clear()
  }

  async function* read(events: E[], stop: () => void): AsyncGenerator<E, void> {
    try {
      while (true) {
        yield* events.splice(0)
        if (events.length > 0) continue
        if (ended?.error) throw ended.error
        if (ended) return
        await new Promise<void>((resolve) => wakers.add(resolve))
      }
    } finally {
      stop()
    }
  }

  return {
    push(event) {
      for (const put of open) put(event)
      wake()
    },
    end(error) {
      ended ??= { error }
      wake()
    },
    iterate() {
      const events: E[] = []
      const put = (event: E) => events.push(event)
      open.add(put)
      return read(events, () => open.delete(put))
    },
  }
}
