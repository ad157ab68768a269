import type { Citations } from '@dataagent/schema'
import { dotOf, type Look, say } from '../look.ts'
import { toPlainLine } from '../sanitize.ts'
import { cut } from '../width.ts'
import { words } from '../words.ts'
import { type Render, unfolded } from './rendered.ts'

const textsShown = 6

/** What of an answer rests on no query, on one line; undefined where all of it does. */
export function uncited(
  { dangling, uncovered }: Pick<Citations, 'dangling' | 'uncovered'>,
  look: Look,
): Render | undefined {
  const parts = [
    ...(dangling.length === 0 ? [] : [say(look, words.dangling(toTexts(dangling, look)))]),
    ...(uncovered.length === 0 ? [] : [say(look, words.uncovered(toTexts(uncovered, look)))]),
  ]
  if (parts.length === 0) return undefined
  const { dim, glyphs } = look.theme
  const line = parts.join(dotOf(look.theme))
  return (width) => unfolded([dim(cut(line, width, glyphs.ellipsis))])
}

function toTexts(spans: Citations['uncovered'], { theme }: Look): string {
  const { ellipsis } = theme.glyphs
  const texts = [...new Set(spans.map(({ text }) => toPlainLine(text, 30, ellipsis)))]
  const more = texts.length > textsShown ? ` ${ellipsis}` : ''
  return `${texts.slice(0, textsShown).join(', ')}${more}`
}
