import type { App } from '../../app/index.ts'
import type { Lang } from '../../words/index.ts'
import { usageOf } from '../words.ts'
import { chooseLang, langIs, langNames } from './words.ts'

const langs: readonly Lang[] = ['en', 'zh']

/** Kept between starts. */
export async function runLang(wanted: string, app: App): Promise<void> {
  const chosen =
    wanted === ''
      ? await app.choose(
          chooseLang[app.lang],
          langs.map((lang) => ({ value: lang, label: langNames[lang] })),
        )
      : langs.find((lang) => lang === wanted)
  if (chosen !== undefined) {
    await app.setPreferences({ lang: chosen })
    return app.tell('good', langIs[chosen])
  }
  if (wanted !== '') app.tell('warn', usageOf('/lang [en|zh]')[app.lang])
}
