import { cx } from '../../ui/cx.ts'
import { chartBox, toBars } from './chart-points.ts'

export interface BarValue {
  key: string
  value: number
  /** How much of it went wrong. */
  bad?: number
  /** Shown when the pointer rests on it. */
  title: string
}

interface BarChartProps {
  /** What it shows, read aloud in its place. */
  label: string
  bars: readonly BarValue[]
  className?: string
}

/** Numbers side by side; what went wrong lies on top in another colour. */
export function BarChart({ label, bars, className = 'h-12' }: BarChartProps) {
  const top = Math.max(...bars.map(({ value }) => value), 1)
  const good = bars.map(({ value, bad = 0 }) => value - bad)
  const below = toBars(good, top)
  const above = toBars(
    bars.map(({ bad = 0 }) => bad),
    top,
    good,
  )
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={chartBox}
      preserveAspectRatio="none"
      className={cx('w-full', className)}
    >
      <line x1="0" x2="100" y1="32" y2="32" className="stroke-line" strokeWidth="0.5" />
      {bars.map(({ key, title }, i) => (
        <g key={key}>
          <title>{title}</title>
          <rect {...below[i]} className="fill-accent" />
          <rect {...above[i]} className="fill-bad" />
        </g>
      ))}
    </svg>
  )
}
