/**
 * Counts the bytes of one workspace against its quota. What is being written counts from before its
 * first byte, beside the version it replaces; after a `sweep` the exact figure is that of `usage`.
 */
export interface Ledger {
  /**
   * Called before the workspace grows by `bytes`. Throws `quota_exceeded` to refuse, and then has
   * counted nothing.
   */
  reserve(bytes: number): Promise<void>
  /** Called when `bytes` that were reserved are not used, or no longer. Must not throw. */
  release(bytes: number): Promise<void>
}

/** What one write has reserved so far. */
export interface Reservation {
  grow(bytes: number): Promise<void>
  undo(): Promise<void>
}

/** For a workspace without a quota. */
export const freeLedger: Ledger = { reserve: async () => {}, release: async () => {} }

export function createReservation(ledger: Ledger): Reservation {
  let held = 0
  return {
    async grow(bytes) {
      if (bytes > 0) await ledger.reserve(bytes)
      held += bytes
    },
    async undo() {
      const unused = held
      held = 0
      if (unused > 0) await ledger.release(unused)
    },
  }
}
