import { AppError } from '@dataagent/schema'

/** Counts what is open by name. */
export interface Tally {
  /** The function gives it back; again it does nothing. Throws `rate_limited`. */
  take(name: string): () => void
}

/** `what` completes the sentence "5 … are under way". */
export function createTally(max: number, what: string): Tally {
  const open = new Map<string, number>()

  function drop(name: string): void {
    const left = (open.get(name) ?? 0) - 1
    if (left > 0) open.set(name, left)
    else open.delete(name)
  }

  return {
    take(name) {
      const used = open.get(name) ?? 0
      if (used >= max) throw tooMany(max, what)
      open.set(name, used + 1)
      let isHeld = true
      return () => {
        if (isHeld) drop(name)
        isHeld = false
      }
    },
  }
}

function tooMany(max: number, what: string): AppError {
  const message = `${max} ${what} are under way: wait for one to end.`
  return new AppError('rate_limited', message, { data: { retryAfterMs: 1_000 } })
}
