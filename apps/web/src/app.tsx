import { SignInPanel } from './sign-in-panel.tsx'
import { StatusPanel } from './status-panel.tsx'
import { createTranslate } from './texts.ts'
import { usePreferences } from './use-preferences.ts'
import { useStatus } from './use-status.ts'

export function App() {
  const { lang, theme, switchLang, switchTheme } = usePreferences()
  const status = useStatus()
  const t = createTranslate(lang)

  return (
    <>
      <header>
        <span className="brand">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          DataAgent
        </span>
        <nav>
          <button type="button" onClick={switchLang} lang={lang === 'en' ? 'zh-CN' : 'en'}>
            {t('language')}
          </button>
          <button type="button" onClick={switchTheme} aria-label={t('theme')} title={t('theme')}>
            <span aria-hidden="true">{theme === 'dark' ? '☀' : '☾'}</span>
          </button>
        </nav>
      </header>
      <main>
        <h1>{t('tagline')}</h1>
        <div className="panels">
          <SignInPanel t={t} />
          <StatusPanel status={status} lang={lang} t={t} />
        </div>
      </main>
    </>
  )
}
