import type { Clock } from '@dataagent/guard'

const burst = 20
const perSecond = 1

/** Hands warnings on, in the long run one a second; the next one says how many were left out. */
export function createWarnings(needs: {
  onWarning(text: string): void
  clock: Clock
}): (text: string) => void {
  let turns = burst
  let at = needs.clock.monotonic()
  let leftOut = 0

  return (text) => {
    const now = needs.clock.monotonic()
    turns = Math.min(burst, turns + ((now - at) / 1000) * perSecond)
    at = now
    if (turns < 1) {
      leftOut += 1
      return
    }
    turns -= 1
    needs.onWarning(leftOut === 0 ? text : `${text} (${leftOut} warnings before it left out)`)
    leftOut = 0
  }
}
