import type { Lang, Text } from '../words/index.ts'
import type { Theme } from './contract.ts'
import { dotOf } from './look.ts'
import { toPlainLine } from './sanitize.ts'
import { cut, padEnd, widthOf } from './width.ts'
import { words } from './words.ts'

export interface HeaderFacts {
  version: string
  agent: string
  model: string | undefined
  folder: string
  /** Where the platform is; undefined where it is our own. */
  server: string | undefined
}

/** The few lines at the start. */
export function renderHeader(
  facts: HeaderFacts,
  { theme, lang, width }: { theme: Theme; lang: Lang; width: number },
): string[] {
  const { header } = words
  const { ellipsis } = theme.glyphs
  const where =
    facts.server === undefined ? header.local[lang] : `${header.remote[lang]} ${facts.server}`
  const rows: [Text, string | undefined][] = [
    [header.agent, facts.agent],
    [header.model, facts.model],
    [header.folder, facts.folder],
  ]
  const shown = rows.filter((row): row is [Text, string] => row[1] !== undefined)
  const label = Math.max(...shown.map(([name]) => widthOf(name[lang])))
  const title = `${theme.strong('DataAgent')} ${theme.dim(toPlainLine(facts.version + dotOf(theme) + where))}`
  const lines = shown.map(([name, value]) => {
    const room = Math.max(4, width - label - 3)
    return ` ${theme.dim(padEnd(name[lang], label))} ${toPlainLine(value, room, ellipsis)}`
  })
  const help = ` ${theme.dim(header.help[lang])}`
  return [` ${title}`, ...lines, help].map((line) => cut(line, width, ellipsis))
}
