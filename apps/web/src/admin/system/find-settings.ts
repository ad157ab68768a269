import type { SettingsList } from '@dataagent/schema'
import type { Lang } from '../../words/words.ts'

export type Setting = SettingsList['settings'][number]

interface Wanted {
  q: string
  origin?: string | undefined
  lang: Lang
}

/** Settings that have every word of `q` in a name or in what is said of them. */
export function findSettings(
  settings: readonly Setting[],
  { q, origin, lang }: Wanted,
): readonly Setting[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return settings.filter((setting) => {
    if (origin !== undefined && setting.origin !== origin) return false
    const text = [setting.name, setting.env, setting.flag, setting.about[lang]].join('\n')
    return words.every((word) => text.toLowerCase().includes(word))
  })
}
