/** The languages of everything that people read. */
export type Lang = 'en' | 'zh'

/** One thing said in both. */
export type Text = Readonly<Record<Lang, string>>

/**
 * The language of the machine's user, by the variables that POSIX has for it, the first set one.
 */
export function langOf(env: Readonly<Record<string, string | undefined>>): Lang {
  const { DATAAGENT_LANG, LC_ALL, LC_MESSAGES, LANG } = env
  const set = [DATAAGENT_LANG, LC_ALL, LC_MESSAGES, LANG].find((value) => value)
  return set !== undefined && /^zh/i.test(set) ? 'zh' : 'en'
}
