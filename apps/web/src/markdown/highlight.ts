import { createHighlighterCore, type HighlighterCore, type LanguageRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export interface Token {
  text: string
  /** Custom properties: the colour in each theme. */
  colours: Record<string, string>
}

type LanguageModule = { default: LanguageRegistration[] }

const languages: Record<string, () => Promise<LanguageModule>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const otherNames: Record<string, string> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', js: 'javascript', jsx: 'javascript' },
  ...{ ts: 'typescript', tsx: 'typescript', py: 'python', yml: 'yaml', jsonc: 'json' },
}

/** The tokens of each line; undefined for a language that is not known. */
export type Highlight = (text: string, name: string) => Promise<Token[][] | undefined>

const themes = { light: 'github-light', dark: 'github-dark' }

export async function createHighlight(): Promise<Highlight> {
  const highlighter = await create()

  return async (text, name) => {
    const lang = otherNames[name.toLowerCase()] ?? name.toLowerCase()
    const load = Object.hasOwn(languages, lang) ? languages[lang] : undefined
    if (!load) return undefined
    if (!highlighter.getLoadedLanguages().includes(lang))
      await highlighter.loadLanguage(await load())
    return highlighter.codeToTokensWithThemes(text, { lang, themes }).map((line) =>
      line.map(({ content, variants }) => ({
        text: content,
        colours: {
          '--code-light': variants.light?.color ?? 'inherit',
          '--code-dark': variants.dark?.color ?? 'inherit',
        },
      })),
    )
  }
}

async function create(): Promise<HighlighterCore> {
  const [light, dark] = await Promise.all([
    import('shiki/themes/github-light-high-contrast.mjs'),
    import('shiki/themes/github-dark-high-contrast.mjs'),
  ])
  return createHighlighterCore({
    engine: createJavaScriptRegexEngine({ forgiving: true }),
    themes: [
      { ...light.default, name: 'github-light' },
      { ...dark.default, name: 'github-dark' },
    ],
  })
}
