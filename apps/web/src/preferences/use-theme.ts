import { useSyncExternalStore } from 'react'
import { usePreferences } from './use-preferences.ts'

/** The theme that is shown, whatever it was chosen by. */
export function useTheme(): 'light' | 'dark' {
  const { subscribe } = usePreferences()
  return useSyncExternalStore(subscribe, () =>
    document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light',
  )
}
