import type { Clock } from '@dataagent/guard'

export interface QuietWatch {
  /** Something came; of comment lines there have been so many by now. */
  heard(comments: number): void
  stop(): void
}

/** A quiet time of less than this is never taken for a loss. */
const shortestLimitMs = 60_000

/** Comments that come together are one sign of life, and three of those make a habit. */
const shortestGapMs = 1_000
const beatsOfHabit = 3

/**
 * Notices a long-lived stream whose other end has gone without a word, as behind a proxy that keeps
 * its own side open. Only a server that sends comments as a sign of life is held to it: when four
 * times the longest pause between two of them passes without a byte, `onQuiet` is called once.
 */
export function createQuietWatch({
  clock,
  onQuiet,
}: {
  clock: Clock
  onQuiet(): void
}): QuietWatch {
  let comments = 0
  let beats = 0
  let longestGapMs = 0
  let lastBeat = 0
  let lastHeard = 0
  let cancelTimer: (() => void) | undefined

  return {
    heard(count) {
      lastHeard = clock.monotonic()
      if (count > comments) beat()
      comments = count
    },
    stop() {
      cancelTimer?.()
    },
  }

  function beat(): void {
    const gapMs = lastHeard - lastBeat
    if (beats > 0 && gapMs < shortestGapMs) return
    if (beats > 0) longestGapMs = Math.max(longestGapMs, gapMs)
    beats += 1
    lastBeat = lastHeard
    if (beats === beatsOfHabit) setTimer(limit())
  }

  function limit(): number {
    return Math.max(shortestLimitMs, 4 * longestGapMs)
  }

  function setTimer(ms: number): void {
    cancelTimer = clock.after(ms, () => {
      const left = limit() - (clock.monotonic() - lastHeard)
      if (left > 0) setTimer(left)
      else onQuiet()
    })
  }
}
