import { useNow } from '../clock/server-clock.ts'
import { useFormats, useWords } from '../words/use-words.ts'
import { approvalWords } from './approval-words.ts'

/** How long there is left to answer, as a ring and in words. */
export function Countdown({ from, until }: { from: number; until: number }) {
  const words = useWords(approvalWords)
  const formats = useFormats()
  const now = useNow(1000)
  const left = Math.max(0, until - now)
  const share = Math.min(1, left / Math.max(1, until - from))
  return (
    <span className="inline-flex items-center gap-1.5 text-[13px] text-soft tabular-nums">
      <svg viewBox="0 0 20 20" className="size-4 -rotate-90" aria-hidden="true">
        <circle cx="10" cy="10" r="8" fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          strokeWidth="3"
          pathLength={1}
          strokeDasharray={`${share} 1`}
          className="stroke-wait"
        />
      </svg>
      {words.left(formats.duration(Math.ceil(left / 1000) * 1000))}
    </span>
  )
}
