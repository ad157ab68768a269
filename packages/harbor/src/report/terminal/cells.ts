const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** East Asian scripts, full-width forms and pictures: two cells each. */
const wide = new RegExp(
  [
    '^[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u4dbf\\u4e00-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff',
    '\\ufe30-\\ufe4f\\uff00-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}',
    '\\u{1f900}-\\u{1f9ff}\\u{20000}-\\u{3fffd}]',
  ].join(''),
  'u',
)
const picture = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** Cells of a terminal that a text takes; colours take none. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text.replace(colours, ''))) width += cellsOf(segment)
  return width
}

function cellsOf(segment: string): number {
  if (/^[\p{Mark}\u200b]+$/u.test(segment)) return 0
  return wide.test(segment) || picture.test(segment) ? 2 : 1
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/** Text of others on one line, without what a terminal would obey, cut where it is wider. */
export function toLine(text: string, width: number): string {
  // No more than could be shown is looked at, however long it is.
  const plain = text
    .slice(0, width * 8 + 64)
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
  if (widthOf(plain) <= width) return plain
  let line = ''
  let taken = 0
  for (const { segment } of segmenter.segment(plain)) {
    taken += cellsOf(segment)
    if (taken > width - 1) break
    line += segment
  }
  return `${line}…`
}
