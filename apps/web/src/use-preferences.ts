import { useEffect, useState } from 'react'
import type { Lang } from './texts.ts'

export type Theme = 'light' | 'dark'

/** Language and theme: the browser's at first, then what the user chose. */
export function usePreferences() {
  const [lang, setLang] = useState<Lang>(() => stored<Lang>('lang', ['en', 'zh']) ?? browserLang())
  const [theme, setTheme] = useState<Theme>(
    () => stored<Theme>('theme', ['light', 'dark']) ?? browserTheme(),
  )

  useEffect(() => {
    document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en'
    document.documentElement.dataset.theme = theme
  }, [lang, theme])

  return {
    lang,
    theme,
    switchLang: () => setLang(keep('lang', lang === 'en' ? 'zh' : 'en')),
    switchTheme: () => setTheme(keep('theme', theme === 'light' ? 'dark' : 'light')),
  }
}

function stored<T extends string>(name: string, allowed: T[]): T | undefined {
  const value = localStorage.getItem(`dataagent.${name}`)
  return allowed.find((one) => one === value)
}

function keep<T extends string>(name: string, value: T): T {
  localStorage.setItem(`dataagent.${name}`, value)
  return value
}

function browserLang(): Lang {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

function browserTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
