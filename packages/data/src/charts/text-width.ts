/** East Asian Wide and Fullwidth (Unicode Standard Annex 11), and what terminals draw as wide. */
const wideRanges = [
  ...['\u1100-\u115f', '\u2e80-\u303e', '\u3041-\u33ff', '\u3400-\u4dbf', '\u4e00-\ua4cf'],
  ...['\ua960-\ua97f', '\uac00-\ud7a3', '\uf900-\ufaff', '\ufe10-\ufe19', '\ufe30-\ufe6f'],
  ...['\uff01-\uff60', '\uffe0-\uffe6', '\u{20000}-\u{3fffd}'],
]
const wide = new RegExp(`[${wideRanges.join('')}]|\\p{Emoji_Presentation}`, 'u')
const invisible = /[\p{Mn}\p{Me}\p{Cf}]/u

/** The cells that a text takes in a terminal: Chinese characters take two. */
export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** The text, cut where it is wider than `width` cells, with an ellipsis for what is gone. */
export function cutText(text: string, width: number): string {
  if (text.length * 2 <= width) return text
  let taken = 0
  let kept = 0
  let end = 0
  for (const char of text) {
    taken += charWidth(char)
    if (taken > width) return `${text.slice(0, end)}…`
    kept += char.length
    if (taken <= width - 1) end = kept
  }
  return text
}

/** The text, cut in its middle where it is wider: names often differ at their end. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  const tail = Math.floor((width - 1) / 3)
  const chars = [...text]
  let end = ''
  let taken = 0
  for (let i = chars.length - 1; i >= 0; i--) {
    taken += charWidth(chars[i]!)
    if (taken > tail) break
    end = chars[i] + end
  }
  const head = cutText(text, width - textWidth(end))
  return head.trimEnd() + end.trimStart()
}

function charWidth(char: string): number {
  if (char >= ' ' && char <= '~') return 1
  if (wide.test(char)) return 2
  return invisible.test(char) ? 0 : 1
}
