import { type Screen, type Theme, toPlain, wrap } from '../ui/index.ts'
import type { App } from './contract.ts'
import { messageOf } from './message-of.ts'

export interface NoticesOptions {
  screen(): Screen
  theme(): Theme
  signal: AbortSignal
}

/** What the program itself says, between what is said in the conversation. */
export interface Notices extends Pick<App, 'say' | 'tell'> {
  /** Of something that nobody waits for; nothing when the person has left. */
  tellFailure(error: unknown): void
}

export function createNotices({ screen, theme, signal }: NoticesOptions): Notices {
  function say(text: string): void {
    const { columns } = screen()
    screen().print(text.split('\n').flatMap((line) => wrap(line, columns)))
  }

  function tell(kind: Parameters<App['tell']>[0], text: string): void {
    const { glyphs, dim, good, warn, bad } = theme()
    const signs = {
      info: dim(glyphs.bullet),
      good: good(glyphs.done),
      warn: warn('!'),
      bad: bad(glyphs.failed),
    }
    say(`${signs[kind]} ${toPlain(text)}`)
  }

  return {
    say,
    tell,
    tellFailure(error) {
      if (!signal.aborted) tell('bad', messageOf(error))
    },
  }
}
