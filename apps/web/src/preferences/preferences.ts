import type { Lang } from '../words/words.ts'
import { type ChatPanel, coversChat, isChatPanel } from './covers-chat.ts'

export type Theme = 'light' | 'dark' | 'system'

/** What a person has chosen in this browser. */
export interface Preferences {
  lang: Lang
  theme: Theme
  /** Whether the list of chats is shown beside the chat. */
  sessionList: 'open' | 'closed'
  /** Whether plan, results, files and trace are shown beside the chat. */
  sidePanel: 'open' | 'closed'
  /** Whether the tour of the first run was finished or put away. */
  tour: 'new' | 'over'
  /** Whether the card that tells of the demo model was put away. */
  modelCard: 'shown' | 'away'
  /** Whether the browser tells of new approvals. */
  notices: 'on' | 'off'
}

type Name = keyof Preferences

const allowed: { [N in Name]: readonly Preferences[N][] } = {
  lang: ['en', 'zh'],
  theme: ['light', 'dark', 'system'],
  sessionList: ['open', 'closed'],
  sidePanel: ['open', 'closed'],
  tour: ['new', 'over'],
  modelCard: ['shown', 'away'],
  notices: ['on', 'off'],
}

/** The choices of this browser, and whoever wants to know of their change. */
export interface PreferenceStore {
  get<N extends Name>(name: N): Preferences[N]
  /**
   * Keeps a choice and shows it at once, in every tab. What is opened above the chat is not kept:
   * who loads the page again sees the chat.
   */
  set<N extends Name>(name: N, value: Preferences[N]): void
  /** Gives what ends it. */
  subscribe(listener: () => void): () => void
}

/** Language and theme are the browser's at first; the page's root element has both. */
export function createPreferences(): PreferenceStore {
  const darkness = matchMedia('(prefers-color-scheme: dark)')
  const listeners = new Set<() => void>()
  let current = readAll()

  function show(): void {
    const { lang, theme } = current
    const root = document.documentElement
    root.lang = lang === 'zh' ? 'zh-CN' : 'en'
    root.dataset.theme = theme === 'system' ? (darkness.matches ? 'dark' : 'light') : theme
    for (const listener of listeners) listener()
  }

  darkness.addEventListener('change', show)
  addEventListener('storage', () => {
    current = readAll()
    show()
  })
  show()

  return {
    get: (name) => current[name],
    set(name, value) {
      if (!isChatPanel(name) || !coversChat(name)) keep(name, value)
      current = { ...current, [name]: value }
      show()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The choices of before, or what fits the browser. */
function readAll(): Preferences {
  return {
    lang: stored('lang') ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'),
    theme: stored('theme') ?? 'system',
    sessionList: storedPanel('sessionList') ?? (innerWidth < 1024 ? 'closed' : 'open'),
    sidePanel: storedPanel('sidePanel') ?? 'closed',
    tour: stored('tour') ?? 'new',
    modelCard: stored('modelCard') ?? 'shown',
    notices: stored('notices') ?? 'off',
  }
}

function stored<N extends Name>(name: N): Preferences[N] | undefined {
  try {
    const value = localStorage.getItem(`dataagent.${name}`)
    return allowed[name].find((one) => one === value)
  } catch {
    return undefined
  }
}

function storedPanel(name: ChatPanel): 'open' | 'closed' | undefined {
  return coversChat(name) ? 'closed' : stored(name)
}

function keep(name: Name, value: string): void {
  try {
    localStorage.setItem(`dataagent.${name}`, value)
  } catch {
    // A browser that keeps nothing: the choice holds until the page is left.
  }
}
