import { AppError } from '@dataagent/schema/base'

/** Lets work in until it is shut, and tells when the last is out. */
export interface Gate {
  /** Runs `work`; throws `unavailable` once the gate is shut. */
  pass<T>(work: () => Promise<T>): Promise<T>
  /** Lets nobody in any more, and waits for those inside. */
  shut(): Promise<void>
}

export function createGate(closedMessage: string): Gate {
  const { promise: empty, resolve: emptied } = Promise.withResolvers<void>()
  let inside = 0
  let open = true

  return {
    async pass(work) {
      if (!open) throw new AppError('unavailable', closedMessage)
      inside++
      try {
        return await work()
      } finally {
        inside--
        if (!open && inside === 0) emptied()
      }
    },
    shut() {
      open = false
      if (inside === 0) emptied()
      return empty
    },
  }
}
