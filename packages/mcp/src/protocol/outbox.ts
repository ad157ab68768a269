/** Over HTTP each message is a request of its own, and may need a connection of its own. */
const sendingMax = 16
const waitingMax = 1_000

/** Sends messages that nobody waits for, so many at a time. */
export interface Outbox<T> {
  /** Never throws. When too many wait already, the message is left out. */
  send(message: T): void
  /** Leaves out what is not being sent yet. */
  close(): void
}

export interface OutboxOptions<T> {
  /** Must not reject. */
  send(message: T): Promise<void>
  /** Messages are left out from now on, until there is room again. */
  onLeftOut(): void
}

export function createOutbox<T>(options: OutboxOptions<T>): Outbox<T> {
  let waiting: T[] = []
  let sending = 0
  let hasLeftOut = false

  return {
    send(message) {
      if (waiting.length >= waitingMax) return leaveOut()
      hasLeftOut = false
      waiting.push(message)
      if (sending < sendingMax) void sendAll()
    },
    close() {
      waiting = []
    },
  }

  function leaveOut(): void {
    if (!hasLeftOut) options.onLeftOut()
    hasLeftOut = true
  }

  async function sendAll(): Promise<void> {
    sending += 1
    while (waiting.length > 0) await options.send(waiting.shift() as T)
    sending -= 1
  }
}
