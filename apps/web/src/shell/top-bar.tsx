import {
  Brain,
  Cable,
  CircleHelp,
  Languages,
  LogOut,
  Moon,
  Search,
  Sun,
  SunMoon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { usePreference, usePreferences } from '../preferences/use-preferences.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { useWords } from '../words/use-words.ts'
import { shellWords } from './shell-words.ts'

/** The bar above every page, also that of the sign-in. */
export function TopBar({ children }: { children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-3">
      <span className="flex items-center gap-2 font-semibold">
        <img src="/favicon.svg" alt="" width="24" height="24" />
        <span className="hidden sm:inline">DataAgent</span>
      </span>
      <div className="flex flex-1 items-center justify-end gap-1">
        {children}
        <LanguageButton />
        <ThemeMenu />
      </div>
    </header>
  )
}

function LanguageButton() {
  const words = useWords(shellWords)
  const lang = usePreference('lang')
  const preferences = usePreferences()
  return (
    <Button
      kind="quiet"
      size="small"
      lang={lang === 'en' ? 'zh-CN' : 'en'}
      icon={<Languages aria-hidden="true" className="size-4" />}
      onClick={() => preferences.set('lang', lang === 'en' ? 'zh' : 'en')}
    >
      {words.language}
    </Button>
  )
}

const themeIcons = { light: <Sun />, dark: <Moon />, system: <SunMoon /> }

function ThemeMenu() {
  const words = useWords(shellWords)
  const preferences = usePreferences()
  const theme = usePreference('theme')
  return (
    <Menu
      trigger={
        <IconButton label={words.theme} className="[&>svg]:size-4">
          {themeIcons[theme]}
        </IconButton>
      }
      items={(['light', 'dark', 'system'] as const).map((each) => ({
        label: words.themes[each],
        icon: themeIcons[each],
        onSelect: () => preferences.set('theme', each),
      }))}
    />
  )
}

export function SearchButton({ onOpen }: { onOpen(): void }) {
  const words = useWords(shellWords)
  return (
    <Button
      size="small"
      className="text-soft"
      icon={<Search aria-hidden="true" className="size-4" />}
      onClick={onOpen}
      aria-label={words.search}
    >
      <span className="hidden md:inline">{words.search}</span>
      <span aria-hidden="true" className="hidden font-mono text-xs md:inline">
        Ctrl K
      </span>
    </Button>
  )
}

interface AccountMenuProps {
  name: string
  role: string
  /** Absent where nothing is remembered of such a role. */
  onMemory?: (() => void) | undefined
  onClients(): void
  onHelp(): void
  onSignOut(): void
}

export function AccountMenu(props: AccountMenuProps) {
  const { name, role, onMemory, onClients, onHelp, onSignOut } = props
  const words = useWords(shellWords)
  return (
    <Menu
      trigger={
        <Button kind="quiet" size="small" aria-label={words.account(name)}>
          <span
            aria-hidden="true"
            className="grid size-6 place-items-center rounded-full bg-accent text-xs text-on-accent"
          >
            {[...name][0]?.toUpperCase()}
          </span>
          <span className="hidden max-w-32 truncate lg:inline">{name}</span>
        </Button>
      }
      items={[
        { label: `${name} · ${role}`, disabled: true, onSelect: () => {} },
        'line',
        ...(onMemory ? [{ label: words.memory, icon: <Brain />, onSelect: onMemory }] : []),
        { label: words.clients, icon: <Cable />, onSelect: onClients },
        { label: words.help, icon: <CircleHelp />, onSelect: onHelp },
        { label: words.signOut, icon: <LogOut />, onSelect: onSignOut },
      ]}
    />
  )
}
