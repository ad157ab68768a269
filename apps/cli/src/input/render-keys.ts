import { cut, type Theme, widthOf } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { toKeyLabel } from './key-bindings.ts'
import { type KeyBindings, keyTable } from './keys.ts'
import { toSigns } from './signs.ts'

export interface RenderKeysOptions {
  bindings: KeyBindings
  theme: Theme
  lang: Lang
  width: number
}

/** The help of keys: one line for each action that has one. */
export function renderKeys({ bindings, theme, lang, width }: RenderKeysOptions): string[] {
  const toLabel = (keys: string) => toSigns(toKeyLabel(keys), theme)
  const rows = keyTable
    .map(({ name, about }) => ({ keys: bindings[name].map(toLabel), about: about[lang] }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ keys, about }) => ({ keys: keys.join(', '), about }))
  const keysWidth = Math.max(...rows.map(({ keys }) => widthOf(keys)))
  const isNarrow = width < keysWidth + 20
  return rows.map(({ keys, about }) => {
    const padded = isNarrow ? keys : keys + ' '.repeat(keysWidth - widthOf(keys))
    return cut(`${theme.accent(padded)}  ${about}`, width, theme.glyphs.ellipsis)
  })
}
