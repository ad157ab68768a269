import type { ThemeName } from '../../ui/index.ts'
import type { Lang, Text } from '../../words/index.ts'

export const chooseTheme: Text = { en: 'Which colours?', zh: '选择哪种配色？' }
export const themeWords: Readonly<Record<ThemeName, Text>> = {
  dark: { en: 'for a dark background', zh: '深色背景' },
  light: { en: 'for a light background', zh: '浅色背景' },
  mono: { en: 'without colours', zh: '无颜色' },
}
export const themeIs = (name: string): Text => ({
  en: `The theme is ${name}, here and at later starts.`,
  zh: `配色为 ${name}，以后启动时也使用。`,
})
export const chooseLang: Text = { en: 'Which language?', zh: '选择语言？' }
export const langNames: Readonly<Record<Lang, string>> = { en: 'English', zh: '中文' }
export const langIs: Text = { en: 'The language is English.', zh: '语言为中文。' }
