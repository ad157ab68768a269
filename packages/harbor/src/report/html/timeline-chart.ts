import type { EvaluationReport } from '@dataagent/schema'
import { toThreeDigits, toTime } from '../figures.ts'
import type { Words } from '../words.ts'
import { html, type Markup } from './markup.ts'
import { linearScale, type Scale } from './scale.ts'
import { toBar, toGridLine, toPlace } from './shapes.ts'

type Point = EvaluationReport['timeline'][number]

const [left, right] = [52, 512]
const counting = [104, 14] as const
const timing = [232, 132] as const

/** Answers in a second above, how long they took below. */
export function timelineChart(timeline: readonly Point[], words: Words): Markup | undefined {
  const first = timeline[0]
  const last = timeline.at(-1)
  if (first === undefined || last === undefined || timeline.length < 2) return undefined
  const seconds = stepOf(timeline)
  const [start, end] = [first.second, last.second + seconds]
  const x = (second: number) => left + ((right - left) * (second - start)) / (end - start)
  const rates = linearScale(Math.max(...timeline.map(({ ended }) => ended / seconds)), counting)
  const times = linearScale(Math.max(...timeline.map(({ p99_ms }) => p99_ms)), timing)
  const width = Math.max(0.5, x(start + seconds) - x(start) - 0.8)
  const toY = (count: number) => rates.at(count / seconds)
  const middle = ({ second }: Point) => x(second + seconds / 2)
  const low = timing[0] + 18
  return html`<svg viewBox="0 0 520 260" role="img" aria-label="${words.timeline}">
${toGrid(rates, (tick) => `${toThreeDigits(tick)}${words.perSecond}`)}
${timeline.map((point) => toBars(point, { x: x(point.second), width, toY }))}
${toGrid(times, (tick) => toTime(tick, words))}
${toLine(timeline, (point) => [middle(point), times.at(point.p99_ms)], 's-soft')}
${toLine(timeline, (point) => [middle(point), times.at(point.p50_ms)], 's-accent')}
<text x="${left}" y="${low}">${toTime(start * 1000, words)}</text>
<text x="${right}" y="${low}" text-anchor="end">${toTime(end * 1000, words)}</text></svg>`
}

/** Seconds that one point stands for. */
function stepOf(timeline: readonly Point[]): number {
  const gaps = timeline.slice(1).map(({ second }, at) => second - (timeline[at]?.second ?? 0))
  return Math.max(1, Math.min(...gaps))
}

function toGrid(scale: Scale, toText: (tick: number) => string): Markup[] {
  const shown = scale.ticks.filter((_, at) => at % 2 === 0 || scale.ticks.length < 5)
  return shown.map((tick) => toGridLine(toText(tick), { left, right, y: scale.at(tick) }))
}

interface Place {
  x: number
  width: number
  toY(count: number): number
}

function toBars({ ended, not_passed }: Point, { x, width, toY }: Place): Markup {
  const middle = toY(Math.max(0, ended - not_passed))
  return html`${toBar({ kind: 'f-passed', x, width, foot: toY(0), head: middle })}
${toBar({ kind: 'f-failed', x, width, foot: middle, head: toY(ended) })}`
}

/** A second in which nothing ended has no times. */
function toLine(
  timeline: readonly Point[],
  place: (point: Point) => number[],
  kind: string,
): Markup {
  const ended = timeline.filter((point) => point.ended > 0)
  const points = ended.map((point) => place(point).map(toPlace).join(','))
  return html`<polyline class="line ${kind}" points="${points.join(' ')}"/>`
}
