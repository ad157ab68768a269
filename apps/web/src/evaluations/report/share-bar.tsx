import type { ShareEstimate } from '@dataagent/schema'

/** A share, and the interval in which it lies, on a line from 0 to 1. The text is beside it. */
export function ShareBar({ share: { value, low, high } }: { share: ShareEstimate }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full">
      <rect x="0" y="3" width="100" height="2" className="fill-line" />
      <rect
        x={low * 100}
        y="1"
        width={Math.max(1, (high - low) * 100)}
        height="6"
        className="fill-accent opacity-35"
      />
      <rect
        x={Math.min(99, value * 100 - 0.5)}
        y="0"
        width="1"
        height="8"
        className="fill-accent"
      />
    </svg>
  )
}
