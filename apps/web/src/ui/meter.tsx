import { cx } from './cx.ts'

interface MeterProps {
  /** What is measured, where the text does not say it. */
  label?: string
  value: number
  /** Null is no limit: the bar is left out. */
  max: number | null
  /** The value and its limit, in words. */
  text: string
}

/** How much of a limit is used: words, and a bar that changes its colour near the end. */
export function Meter({ label, value, max, text }: MeterProps) {
  const part = max === null ? undefined : max === 0 ? 1 : Math.min(1, value / max)
  return (
    <div className="flex min-w-28 flex-col gap-1">
      <span className="text-sm tabular-nums">
        {label !== undefined && <span className="sr-only">{label}: </span>}
        {text}
      </span>
      {part !== undefined && (
        <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-raised">
          <div
            style={{ width: `${part * 100}%` }}
            className={cx('h-full rounded-full', toneOf(part))}
          />
        </div>
      )}
    </div>
  )
}

function toneOf(part: number): string {
  if (part >= 1) return 'bg-bad'
  return part >= 0.8 ? 'bg-wait' : 'bg-accent'
}
