import type { Frame } from './frame.ts'
import { cutMiddle, cutText, textWidth } from './text-width.ts'
import { createTickTime } from './times.ts'

const pixelsOfCell = 6.6

/** Categories by their number: ECharts looks none of the labels up. */
export function categoryAxis(
  { colours, width }: Frame,
  labels: readonly string[],
  { title, upright }: { title: string; upright: boolean },
) {
  const most = upright ? Math.max(10, Math.min(26, Math.floor(width / 26))) : 18
  const shown = labels.map((label) => cutMiddle(label, most))
  const needed = shown.reduce((sum, label) => sum + textWidth(label) * pixelsOfCell + 12, 0)
  const rotate = !upright && needed > width - 90 ? 38 : 0
  return {
    type: 'category' as const,
    data: labels.map((_, i) => String(i)),
    ...nameOf(title, colours.faint, upright ? 'start' : 'middle'),
    inverse: upright,
    axisLabel: {
      ...{ color: colours.text, hideOverlap: true, rotate },
      ...(labels.length <= 30 && (upright || rotate > 0) ? { interval: 0 } : {}),
      formatter: (value: string) => shown[Number(value)] ?? '',
    },
    axisTick: { alignWithLabel: true, lineStyle: { color: colours.line } },
    axisLine: { lineStyle: { color: colours.line } },
  }
}

export interface ValueRange {
  title: string
  min: number
  max: number
  /** Whether zero may be left out. ECharts finds no ticks between numbers that hardly differ. */
  scale: boolean
  /** Whether it lies below the drawing. */
  lying: boolean
}

export function valueAxis(
  { colours, tickText }: Frame,
  { title, min, max, scale, lying }: ValueRange,
) {
  const most = Math.max(Math.abs(min), Math.abs(max))
  const text = tickText(most)
  return {
    ...{ type: 'value' as const, scale: scale && max - min > most * 1e-6 },
    ...nameOf(title, colours.faint, lying ? 'middle' : 'end'),
    axisLabel: {
      color: colours.text,
      hideOverlap: true,
      formatter: (value: number) => text(value),
    },
    axisLine: { show: false },
    splitLine: { lineStyle: { color: colours.line } },
  }
}

export function timeAxis({ colours, language }: Frame, title: string) {
  const text = createTickTime(language)
  return {
    type: 'time' as const,
    ...nameOf(title, colours.faint, 'middle'),
    axisLabel: {
      color: colours.text,
      hideOverlap: true,
      formatter: (value: number) => text(value),
    },
    axisLine: { lineStyle: { color: colours.line } },
    axisTick: { lineStyle: { color: colours.line } },
    splitLine: { show: false },
  }
}

/**
 * Around the axes. Server-side the width of text is an estimate, so there is room at the sides:
 * more at the right where bars end with their numbers.
 */
export function gridOf({ top }: Frame, { bottom, right = 24 }: { bottom: number; right?: number }) {
  return {
    ...{ left: 20, right, top: top + 14, bottom: 12 + bottom },
    ...{ outerBoundsMode: 'same' as const, outerBoundsContain: 'all' as const },
  }
}

function nameOf(title: string, color: string, nameLocation: 'middle' | 'end' | 'start') {
  return {
    name: cutText(title, 48),
    nameLocation,
    nameGap: nameLocation === 'middle' ? 8 : 12,
    nameTextStyle: { color, align: nameLocation === 'middle' ? undefined : ('left' as const) },
  }
}
