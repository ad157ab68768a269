import type { App } from '../../app/index.ts'
import { themeNames } from '../../ui/index.ts'
import { usageOf } from '../words.ts'
import { chooseTheme, themeIs, themeWords } from './words.ts'

/** Kept between starts. */
export async function runTheme(wanted: string, app: App): Promise<void> {
  const { lang } = app
  const items = themeNames.map((name) => ({
    ...{ value: name, label: name, about: themeWords[name][lang] },
  }))
  const chosen =
    wanted === ''
      ? await app.choose(chooseTheme[lang], items)
      : themeNames.find((name) => name === wanted)
  if (chosen !== undefined) {
    await app.setPreferences({ theme: chosen })
    return app.tell('good', themeIs(chosen)[lang])
  }
  if (wanted !== '') app.tell('warn', usageOf(`/theme [${themeNames.join('|')}]`)[lang])
}
