/** Languages of what a person reads on the terminal. */
export const langs = ['en', 'zh'] as const
export type Lang = (typeof langs)[number]

/** One sentence in every language. */
export type Text = Record<Lang, string>

/** The language of a locale such as `zh_CN.UTF-8`; English where it names neither. */
export function langOfLocale(locale: string | undefined): Lang {
  return locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
