import { html, type Markup } from './markup.ts'

/** A bar of a chart; nothing where it has no height. */
export interface Bar {
  kind: string
  x: number
  width: number
  /** Of its foot and of its head: down is more. */
  foot: number
  head: number
}

export function toBar({ kind, x, width, foot, head }: Bar): Markup | undefined {
  if (foot <= head) return undefined
  const [left, top] = [toPlace(x), toPlace(head)]
  const [wide, high] = [toPlace(width), toPlace(foot - head)]
  return html`<rect class="${kind}" x="${left}" y="${top}" width="${wide}" height="${high}"/>`
}

/** A line across the chart, with its value to the left of it. */
export function toGridLine(
  text: string,
  { left, right, y }: { left: number; right: number; y: number },
): Markup {
  const at = toPlace(y)
  return html`<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>
<text x="${left - 6}" y="${toPlace(y + 4)}" text-anchor="end">${text}</text>`
}

export function toPlace(value: number): string {
  return value.toFixed(2)
}
