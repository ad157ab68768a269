/** Tokens of a text, roughly: four Latin characters, or one and a half Chinese ones, are one. */
export function estimateTokens(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2e7f) wide++
  return Math.ceil((text.length - wide) / 4 + wide / 1.5)
}
