import { cutMiddle, textWidth } from './text-width.ts'

export interface TextBar {
  label: string
  value: number | null
  text: string
}

export interface BarGroup {
  heading?: string
  bars: TextBar[]
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Bars on one scale with their labels before and their numbers behind. */
export function textBars(groups: readonly BarGroup[], width: number): string[] {
  const all = groups.flatMap(({ bars }) => bars)
  const most = widest(all.map(({ label }) => label))
  const labelWidth = Math.min(most, Math.max(6, Math.floor(width * 0.35)))
  const numberWidth = widest(all.map(({ text }) => text))
  const room = Math.max(4, width - labelWidth - numberWidth - 2)
  const scale = createScale(all, room)
  return groups.flatMap(({ heading, bars }) => [
    ...(heading === undefined ? [] : [heading]),
    ...bars.map(({ label, value, text }) => {
      const shown = padEnd(cutMiddle(label, labelWidth), labelWidth)
      return `${shown} ${scale(value)} ${padStart(text, numberWidth)}`
    }),
  ])
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - textWidth(text))) + text
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0)
}

/** Draws a value in `room` cells. Values below zero go to the left of where zero is. */
function createScale(bars: readonly TextBar[], room: number): (value: number | null) => string {
  const values = bars.map(({ value }) => value ?? 0)
  const max = values.reduce((most, value) => Math.max(most, value), 0)
  const min = values.reduce((least, value) => Math.min(least, value), 0)
  const left = min === 0 ? 0 : Math.max(1, Math.round((room * -min) / (max - min)))
  const right = room - left
  return (value) => {
    if (value === null || value === 0) return ' '.repeat(room)
    if (value < 0) {
      const cells = Math.max(1, Math.round((left * value) / min))
      return padStart('█'.repeat(cells), left) + ' '.repeat(right)
    }
    return ' '.repeat(left) + padEnd(barOf((right * value) / max), right)
  }
}

function barOf(cells: number): string {
  const parts = Math.max(1, Math.round(cells * 8))
  return '█'.repeat(Math.floor(parts / 8)) + eighths[parts % 8]
}
