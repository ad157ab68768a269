import type { Clock } from '@dataagent/guard'

export interface ConnectGateOptions {
  /** So many connect at once. */
  places: number
  /** After so long a place is free again, though its server still has not answered. */
  holdMs: number
  clock: Clock
}

/**
 * Lets servers connect a few at a time, so that hundreds do not start at the same moment. Those
 * that hang pass their place on: to wait for them costs nothing.
 */
export interface ConnectGate {
  /** `urgent`: someone waits for it. Settles as `connect` does. */
  pass<T>(connect: () => Promise<T>, options: { urgent: boolean }): Promise<T>
}

export function createConnectGate({ places, holdMs, clock }: ConnectGateOptions): ConnectGate {
  const queue: (() => void)[] = []
  let left = places

  return {
    async pass(connect, { urgent }) {
      await enter(urgent)
      const leave = once(passOn)
      const cancel = clock.after(holdMs, leave)
      try {
        return await connect()
      } finally {
        cancel()
        leave()
      }
    },
  }

  async function enter(urgent: boolean): Promise<void> {
    if (left > 0) {
      left -= 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    if (urgent) queue.unshift(resolve)
    else queue.push(resolve)
    await promise
  }

  function passOn(): void {
    const next = queue.shift()
    if (next === undefined) left += 1
    else next()
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
