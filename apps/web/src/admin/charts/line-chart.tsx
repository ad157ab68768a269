import { chartBox, toPoints } from './chart-points.ts'

interface LineChartProps {
  /** What it shows, read aloud in its place. */
  label: string
  /** Oldest first. */
  values: readonly number[]
  /** How many values fill it. */
  slots: number
}

/** How a number went, as one small line. */
export function LineChart({ label, values, slots }: LineChartProps) {
  const shown = values.slice(-slots)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={chartBox}
      preserveAspectRatio="none"
      className="h-12 w-full"
    >
      <title>{label}</title>
      <line x1="0" x2="100" y1="31" y2="31" className="stroke-line" strokeWidth="0.5" />
      {shown.length > 1 && (
        <polyline
          points={toPoints(shown, slots)}
          vectorEffect="non-scaling-stroke"
          className="fill-none stroke-accent stroke-[1.5]"
        />
      )}
    </svg>
  )
}
