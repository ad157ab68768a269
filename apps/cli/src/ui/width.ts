import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'

const esc = '\u001b'
const reset = `${esc}[0m`

/** Cells that a line takes; the theme's colours take none. */
export function widthOf(line: string): number {
  return quickWidth(line) ?? visibleWidth(line)
}

/** The line, cut where it is wider. What has no colour gets no escape sequence by it. */
export function cut(line: string, width: number, ellipsis = '…'): string {
  if ((quickWidth(line) ?? Number.POSITIVE_INFINITY) <= width) return line
  const shown = truncateToWidth(line, Math.max(0, width), ellipsis)
  return line.includes(esc) ? shown : shown.replaceAll(reset, '')
}

export function padEnd(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - widthOf(line)))
}

export function padStart(line: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(line))) + line
}

/** At words, and between Chinese characters; every line is complete in its colours. */
export function wrap(text: string, width: number): string[] {
  if ((quickWidth(text) ?? Number.POSITIVE_INFINITY) <= width) return [text]
  const lines = wrapTextWithAnsi(text.replaceAll('\t', '   '), Math.max(2, width))
  if (!text.includes(esc)) return lines
  return lines.map((line, i) => (i < lines.length - 1 && line.includes(esc) ? line + reset : line))
}

/** Wrapped with a first prefix, and another of the same width before the lines that follow. */
export function wrapWith(first: string, rest: string, text: string, width: number): string[] {
  const lines = wrap(text, Math.max(2, width - widthOf(first)))
  return lines.map((line, i) => (i === 0 ? first : rest) + line)
}

/** Of ASCII and the common Chinese characters, each of which is one for itself; else undefined. */
function quickWidth(text: string): number | undefined {
  let width = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x20 && code < 0x7f) continue
    if (!isWide(code)) return undefined
    width += 1
  }
  return width
}

function isWide(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0x3001 && code <= 0x3029)
  )
}
