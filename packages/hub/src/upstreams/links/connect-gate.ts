import type { Clock } from '@dataagent/guard'

export interface ConnectGateOptions {
  /** So many connect at once. */
  places: number
  /** After so long a place is free again, though its server still has not answered. */
  holdMs: number
  clock: Clock
}

export interface Entering {
  /** Someone waits for it. */
  urgent: boolean
  /** The tenant: those who have some waiting take turns. */
  whose: string
}

/**
 * Lets servers connect a few at a time, so that hundreds do not start at the same moment. Those
 * that hang pass their place on: to wait for them costs nothing.
 */
export interface ConnectGate {
  /** Settles as `connect` does. */
  pass<T>(connect: () => Promise<T>, entering: Entering): Promise<T>
}

export function createConnectGate({ places, holdMs, clock }: ConnectGateOptions): ConnectGate {
  const [urgent, others] = [createTurnQueue(), createTurnQueue()]
  let left = places

  return {
    async pass(connect, entering) {
      await enter(entering)
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

  async function enter({ urgent: isUrgent, whose }: Entering): Promise<void> {
    if (left > 0) {
      left -= 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = isUrgent ? urgent : others
    queue.add(whose, resolve)
    await promise
  }

  function passOn(): void {
    const next = urgent.next() ?? others.next()
    if (next === undefined) left += 1
    else next()
  }
}

/** Gives one of each in turn. */
function createTurnQueue() {
  const waiting = new Map<string, (() => void)[]>()
  return {
    add(whose: string, enter: () => void): void {
      const own = waiting.get(whose)
      if (own) own.push(enter)
      else waiting.set(whose, [enter])
    },
    next(): (() => void) | undefined {
      const [first] = waiting
      if (first === undefined) return undefined
      const [whose, own] = first
      const enter = own.shift()
      waiting.delete(whose)
      if (own.length > 0) waiting.set(whose, own)
      return enter
    },
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
