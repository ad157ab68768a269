import type { EvaluationReport } from '@dataagent/schema'

type Timeline = EvaluationReport['timeline']
type Point = Timeline[number]

const pointsMax = 600

/** No more points than a chart has room for: each then stands for as many seconds as are needed. */
export function thinTimeline(timeline: Timeline): Timeline {
  const last = timeline.at(-1)?.second ?? 0
  const seconds = Math.ceil((last + 1) / pointsMax)
  if (seconds <= 1) return timeline
  const parts = Map.groupBy(timeline, ({ second }) => Math.floor(second / seconds) * seconds)
  return [...parts].map(([second, points]) => ({ ...merge(points), second }))
}

/** What was counted is added up. The median is about right, and the tail is the worst of it. */
function merge(points: readonly Point[]): Omit<Point, 'second'> {
  const sum = (of: (point: Point) => number) =>
    points.reduce((total, point) => total + of(point), 0)
  const ended = sum((point) => point.ended)
  return {
    ...{ begun: sum(({ begun }) => begun), ended, not_passed: sum((point) => point.not_passed) },
    under_way: Math.max(...points.map(({ under_way }) => under_way)),
    p50_ms: ended === 0 ? 0 : sum((point) => point.p50_ms * point.ended) / ended,
    p99_ms: Math.max(...points.map(({ p99_ms }) => p99_ms)),
  }
}
