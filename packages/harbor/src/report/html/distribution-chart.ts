import type { EvaluationReport } from '@dataagent/schema'
import { toTime } from '../figures.ts'
import { isTimed } from '../to-report.ts'
import type { Words } from '../words.ts'
import { html, type Markup } from './markup.ts'
import { linearScale, logScale, type Scale } from './scale.ts'
import { toBar, toGridLine, toPlace } from './shapes.ts'

const [left, right, top, bottom] = [34, 512, 52, 232]
const binCount = 36
/** Less than this has no place on a logarithmic axis. */
const leastMs = 0.1

interface Bin {
  passed: number
  others: number
}

/** How many answers took how long, with the percentiles on it. */
export function distributionChart(report: EvaluationReport, words: Words): Markup | undefined {
  const { total } = report.times
  if (total.count < 2) return undefined
  const low = Math.max(leastMs, total.min) * 0.9
  const high = Math.max(total.max, low * 1.6) * 1.1
  const x = logScale([low, high], [left, right])
  const bins = toBins(report, x)
  const y = linearScale(Math.max(...bins.map((bin) => bin.passed + bin.others)), [bottom, top])
  const lines = y.ticks.map((tick) =>
    toGridLine(Number.isInteger(tick) ? String(tick) : '', { left, right, y: y.at(tick) }),
  )
  const names = ['p50', 'p95', 'p99'] as const
  const marks = names.map((name, row) => {
    const text = `${name} ${toTime(total[name], words)}`
    return toMark(text, x.at(Math.max(leastMs, total[name])), row)
  })
  return html`<svg viewBox="0 0 520 260" role="img" aria-label="${words.distribution}">
${lines}${bins.map((bin, at) => toBars(bin, at, y))}
<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>
${x.ticks.map((tick) => toTick(toTime(tick, words), x.at(tick)))}${marks}</svg>`
}

function toBins({ trials }: EvaluationReport, x: Scale): Bin[] {
  const bins = Array.from({ length: binCount }, (): Bin => ({ passed: 0, others: 0 }))
  for (const { total_ms, status } of trials.filter(isTimed)) {
    const place = (x.at(Math.max(leastMs, total_ms)) - left) / (right - left)
    const bin = bins[Math.min(binCount - 1, Math.max(0, Math.floor(place * binCount)))]
    if (bin) bin[status === 'passed' ? 'passed' : 'others'] += 1
  }
  return bins
}

function toBars({ passed, others }: Bin, at: number, y: Scale): Markup {
  const step = (right - left) / binCount
  const place = { x: left + at * step + 0.75, width: step - 1.5 }
  const [middle, head] = [y.at(passed), y.at(passed + others)]
  return html`${toBar({ kind: 'f-passed', ...place, foot: bottom, head: middle })}
${toBar({ kind: 'f-failed', ...place, foot: middle, head })}`
}

function toTick(text: string, x: number): Markup {
  return html`<text x="${toPlace(x)}" y="${bottom + 18}" text-anchor="middle">${text}</text>`
}

/** Their texts stand below each other, for they may be close. */
function toMark(text: string, x: number, row: number): Markup {
  const y = 12 + row * 14
  const isRight = x > (left + right) / 2
  const anchor = isRight ? 'end' : 'start'
  const [at, textAt] = [toPlace(x), toPlace(isRight ? x - 5 : x + 5)]
  return html`<line class="marker" x1="${at}" x2="${at}" y1="${y - 8}" y2="${bottom}"/>
<text class="mark" x="${textAt}" y="${y}" text-anchor="${anchor}">${text}</text>`
}
