import { type Component, matchesKey } from '@earendil-works/pi-tui'
import { cut, type Theme, toPlain } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { createField } from './field.ts'
import { toSigns } from './signs.ts'
import { words } from './words.ts'

/** The search backwards through the history, in place of the editor. */
export interface HistorySearch extends Component {
  focused: boolean
  handleInput(data: string): void
}

export interface HistorySearchOptions {
  /** Oldest first. */
  entries(): readonly string[]
  theme: Theme
  lang: Lang
  onTake(text: string): void
  onLeave(): void
}

/** Rows of the entry that was found. */
const shownRows = 3

/** Looks while it is typed; Ctrl+R again or Up is older, Down newer, Enter takes, Esc leaves. */
export function createHistorySearch(options: HistorySearchOptions): HistorySearch {
  const { theme, lang, onTake, onLeave } = options
  // Read each time: a history that is still being loaded comes while the search is open.
  const found = () => matching([...new Set(options.entries().toReversed())], typed)
  let typed = ''
  let at = 0
  const field = createField({
    label: `${theme.accent(words.search[lang])}: `,
    onSubmit() {
      const text = found()[at]
      if (text === undefined) onLeave()
      else onTake(text)
    },
    onLeave,
    onChange(text) {
      typed = text
      at = 0
    },
  })

  return {
    get focused() {
      return field.focused
    },
    set focused(focused) {
      field.focused = focused
    },
    handleInput(data) {
      if (isOlder(data)) at = Math.min(at + 1, Math.max(0, found().length - 1))
      else if (matchesKey(data, 'down')) at = Math.max(0, at - 1)
      else field.handleInput(data)
    },
    invalidate: () => field.invalidate(),
    render(width) {
      const keys = cut(toSigns(words.searchKeys[lang], theme), width, theme.glyphs.ellipsis)
      return [...renderFound(width), ...field.render(width), theme.dim(keys)]
    },
  }

  function renderFound(width: number): string[] {
    const text = found()[at]
    if (text === undefined) return [theme.dim(cut(words.nothingFound[lang], width, ''))]
    const lines = toPlain(text).replaceAll('\t', '    ').split('\n')
    const more = lines.length > shownRows ? [theme.glyphs.ellipsis] : []
    return [...lines.slice(0, shownRows), ...more].map((line) =>
      markFound(cut(line, width, theme.glyphs.ellipsis), field.text, theme),
    )
  }
}

function isOlder(data: string): boolean {
  return matchesKey(data, 'ctrl+r') || matchesKey(data, 'up')
}

/** Capitals count where some are typed. */
function matching(texts: readonly string[], typed: string): string[] {
  const fold = foldFor(typed)
  return texts.filter((text) => fold(text).includes(typed))
}

function foldFor(typed: string): (text: string) => string {
  return typed === typed.toLowerCase() ? (text) => text.toLowerCase() : (text) => text
}

function markFound(line: string, typed: string, theme: Theme): string {
  const at = typed === '' ? -1 : foldFor(typed)(line).indexOf(typed)
  if (at === -1) return line
  const end = at + typed.length
  return `${line.slice(0, at)}${theme.strong(line.slice(at, end))}${line.slice(end)}`
}
