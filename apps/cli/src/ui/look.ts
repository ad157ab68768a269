import type { Lang, Text } from '../words/index.ts'
import type { Theme } from './contract.ts'

/** How things are shown, whatever they are. */
export interface Look {
  theme: Theme
  lang: Lang
}

/** Between two facts on one line. */
export function dotOf({ isAscii }: Theme): string {
  return isAscii ? ' - ' : ' · '
}

export function say({ lang }: Look, text: Text): string {
  return text[lang]
}
