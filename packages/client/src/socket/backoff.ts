/** Pauses that grow from attempt to attempt, never the same for two clients. */
export interface Backoff {
  /** The next pause, and at least as long as the server asks for. */
  next(retryAfterMs: number | undefined): number
  reset(): void
}

export function createBackoff({ firstMs, maxMs }: { firstMs: number; maxMs: number }): Backoff {
  let attempts = 0

  return {
    next(retryAfterMs = 0) {
      const ms = Math.min(maxMs, firstMs * 2 ** attempts) * (0.5 + Math.random() / 2)
      attempts += 1
      return Math.round(Math.max(ms, retryAfterMs * (1 + Math.random() / 4)))
    },
    reset() {
      attempts = 0
    },
  }
}
