/** Hands events from one who makes them to one who reads them, in order. */
export interface EventQueue<E> extends AsyncIterable<E> {
  push(event: E): void
  /** No more will come. What is waiting can still be read. */
  end(): void
}

export interface EventQueueOptions {
  /** Called once when someone begins to read. */
  onStart(): void
  /** Called once when the reader leaves before the end. */
  onLeave(): void
}

/** So many that were read are kept until the rest is moved up. */
const readMax = 1_000

/** One reader; a second one gets nothing. Unread events are kept. */
export function createEventQueue<E>({ onStart, onLeave }: EventQueueOptions): EventQueue<E> {
  let waiting: E[] = []
  /** Who asked for the next event, the first first. */
  let readers: ((result: IteratorResult<E, undefined>) => void)[] = []
  let isOver = false
  let isLeft = false
  let isTaken = false
  let next = 0

  const over: IteratorResult<E, undefined> = { done: true, value: undefined }

  function take(): E {
    const event = waiting[next++]!
    // Emptied in one go: shifting a long list one by one would be quadratic.
    if (next === waiting.length || next === readMax) {
      waiting = waiting.slice(next)
      next = 0
    }
    return event
  }

  function dismiss(): void {
    const asking = readers
    readers = []
    for (const give of asking) give(over)
  }

  function leave(): Promise<IteratorResult<E, undefined>> {
    if (!isLeft && !isOver) onLeave()
    isLeft = true
    waiting = []
    next = 0
    dismiss()
    return Promise.resolve(over)
  }

  return {
    push(event) {
      if (isLeft || isOver) return
      const give = readers.shift()
      if (give) give({ done: false, value: event })
      else waiting.push(event)
    },
    end() {
      isOver = true
      dismiss()
    },
    [Symbol.asyncIterator]() {
      if (isTaken) return { next: () => Promise.resolve(over) }
      isTaken = true
      let isStarted = false
      return {
        next() {
          if (isLeft) return Promise.resolve(over)
          if (!isStarted) {
            isStarted = true
            onStart()
          }
          if (next < waiting.length) return Promise.resolve({ done: false, value: take() })
          if (isOver) return Promise.resolve(over)
          return new Promise((resolve) => {
            readers.push(resolve)
          })
        },
        return: leave,
        throw: leave,
      }
    },
  }
}
