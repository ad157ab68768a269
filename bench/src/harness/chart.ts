import { type BenchReport, type Comparison, toComparisons } from './result.ts'
import { toFigures } from './stats.ts'

const width = 760
const plot = { left: 64, right: 24, top: 40, height: 220 }
const lineHeight = 18

/** Told apart on white and on black, and by who does not see red and green alike. */
const colours = ['#3b7dd8', '#d9822b', '#3f9c6b', '#b15fc4', '#c9483f', '#7a7f87', '#a58a1f']
const style = `text{font:12px system-ui,sans-serif;fill:#444}.title{font-weight:600;fill:#111}
.grid{stroke:#ddd}.one{stroke:#888;stroke-dasharray:4 3}
@media(prefers-color-scheme:dark){text{fill:#bbb}.title{fill:#eee}.grid{stroke:#333}}`

/**
 * How the ratios of a benchmark grow with its size, on logarithmic axes, as SVG. By CPU where that
 * was compared. Undefined where nothing was.
 */
export function toChart(report: BenchReport): string | undefined {
  const all = toComparisons(report)
  const byCpu = all.filter(({ figure }) => figure === 'cpu')
  const lines = byCpu.length > 0 ? byCpu : all
  if (lines.length === 0) return undefined
  const sizes = [...new Set(lines.flatMap(({ ratios }) => ratios.map(({ size }) => size)))]
  const scale = toScale(
    lines,
    sizes.sort((a, b) => a - b),
  )
  const bottom = plot.top + plot.height
  const height = bottom + 34 + lines.length * lineHeight
  const named = `${report.bench}: ${byCpu.length > 0 ? 'CPU' : lines[0]?.figure}, × what it is compared with`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">`,
    `<title>${escapeText(named)}</title><style>${style}</style>`,
    `<text class="title" x="${plot.left}" y="22">${escapeText(named)}</text>`,
    ...scale.ticks.map(toTick),
    ...sizes.map((size) => {
      const label = sizes.length === 1 ? '' : size.toLocaleString('en')
      return `<text x="${scale.x(size)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`
    }),
    ...lines.flatMap((line, at) => toLine(line, at, scale)),
    ...lines.map((line, at) => toKey(line, at, bottom + 40 + at * lineHeight)),
    '</svg>\n',
  ].join('\n')
}

interface Scale {
  x(size: number): number
  y(ratio: number): number
  ticks: { y: number; label: string; isOne: boolean }[]
}

/** Sizes at equal distances; ratios by their logarithm, from a decade or its 2 or 5 to another. */
function toScale(lines: readonly Comparison[], sizes: readonly number[]): Scale {
  const values = lines.flatMap(({ ratios }) => ratios.map(({ ratio }) => ratio))
  const marks = [-3, -2, -1, 0, 1, 2, 3].flatMap((power) => [1, 2, 5].map((n) => n * 10 ** power))
  const low = marks.findLast((mark) => mark <= Math.min(1, ...values)) ?? 0.001
  const high = marks.find((mark) => mark >= Math.max(1, ...values)) ?? 5_000
  const room = Math.log(Math.max(high / low, 2))
  const step = (width - plot.left - plot.right) / sizes.length
  const y = (ratio: number) =>
    round(plot.top + plot.height * (1 - Math.log(Math.max(ratio, low) / low) / room))
  return {
    x: (size) => round(plot.left + step * (sizes.indexOf(size) + 0.5)),
    y,
    ticks: marks
      .filter((mark) => mark >= low && mark <= high)
      .map((mark) => ({ y: y(mark), label: toFigures(mark), isOne: mark === 1 })),
  }
}

function toTick({ y, label, isOne }: Scale['ticks'][number]): string {
  const line = `<line class="${isOne ? 'one' : 'grid'}" x1="${plot.left}" x2="${width - plot.right}" y1="${y}" y2="${y}"/>`
  return `${line}<text x="${plot.left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`
}

function toLine({ ratios }: Comparison, at: number, { x, y }: Scale): string[] {
  const colour = colours[at % colours.length]
  const points = ratios.map(({ size, ratio }) => `${x(size)},${y(ratio)}`)
  const path = `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`
  const dots = points.map((point) => {
    const [cx, cy] = point.split(',')
    return `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`
  })
  return [path, ...dots]
}

function toKey({ subject, baseline, ratios }: Comparison, at: number, y: number): string {
  const figures = ratios.map(({ ratio }) => toFigures(ratio)).join(' / ')
  const text = escapeText(`${subject} × ${baseline}: ${figures}`)
  const dot = `<circle cx="${plot.left + 5}" cy="${y - 4}" r="5" fill="${colours[at % colours.length]}"/>`
  return `${dot}<text x="${plot.left + 18}" y="${y}">${text}</text>`
}

const round = (value: number): number => Math.round(value * 10) / 10

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
