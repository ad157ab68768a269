import type { Text } from '../../words/index.ts'
import type { Glyphs } from '../contract.ts'
import { type Look, say } from '../look.ts'
import { cut } from '../width.ts'
import { toElapsed } from './duration.ts'

const frameMs = 100

export function spinnerAt({ spinner }: Pick<Glyphs, 'spinner'>, now: number): string {
  return spinner[Math.floor(now / frameMs) % spinner.length] ?? ''
}

/** Says that something goes on, and for how long already. */
export function renderSpinner(
  what: Text,
  { since, now }: { since: number; now: number },
  look: Look,
  width: number,
): string {
  const { theme } = look
  const { glyphs } = theme
  const text = `${say(look, what)}${glyphs.ellipsis} ${toElapsed(now - since)}`
  return cut(`${theme.accent(spinnerAt(glyphs, now))} ${theme.dim(text)}`, width, glyphs.ellipsis)
}
