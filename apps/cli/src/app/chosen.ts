import { createTheme, type Theme, type ThemeName } from '../ui/index.ts'
import { type Lang, langOf } from '../words/index.ts'
import type { Machine, Preferences } from './contract.ts'
import type { KeptChoices } from './preferences.ts'

export interface ChosenOptions {
  /** What was chosen for this start counts more than what is kept. */
  lang: Lang | undefined
  theme: ThemeName | undefined
  kept: KeptChoices
  machine: Pick<Machine, 'env' | 'isTty'>
  save(kept: KeptChoices): Promise<void>
}

/** How the program looks and speaks now, and what is kept of that. */
export interface Chosen {
  readonly theme: Theme
  readonly lang: Lang
  readonly kept: KeptChoices
  change(change: Partial<Preferences>): Promise<void>
  keep(change: Partial<KeptChoices>): Promise<void>
}

export function createChosen({ machine, save, ...start }: ChosenOptions): Chosen {
  const { env, isTty } = machine
  let { kept } = start
  let lang = start.lang ?? kept.lang ?? langOf(env)
  let theme = createTheme({ name: start.theme ?? kept.theme, env, isTty })
  let saving = Promise.resolve()

  /** One after the other: what was chosen last is what the file says. */
  function keep(change: Partial<KeptChoices>): Promise<void> {
    kept = { ...kept, ...change }
    const write = () => save(kept)
    saving = saving.then(write, write)
    return saving
  }

  return {
    get theme() {
      return theme
    },
    get lang() {
      return lang
    },
    get kept() {
      return kept
    },
    async change(change) {
      if (change.lang !== undefined) lang = change.lang
      if ('theme' in change) theme = createTheme({ name: change.theme, env, isTty })
      await keep(change)
    },
    keep,
  }
}
