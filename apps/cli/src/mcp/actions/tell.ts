import { toPlainLine } from '../../ui/index.ts'
import type { McpShell } from './contract.ts'

/** One line with the sign of what it is. */
export function tell(
  { theme, write }: Pick<McpShell, 'theme' | 'write'>,
  kind: 'info' | 'good' | 'warn' | 'bad',
  text: string,
): void {
  const { glyphs, good, bad, warn, dim } = theme
  const sign = {
    info: dim(glyphs.bullet),
    good: good(glyphs.done),
    warn: warn(glyphs.waiting),
    bad: bad(glyphs.failed),
  }[kind]
  write(`${sign} ${toPlainLine(text)}`)
}
