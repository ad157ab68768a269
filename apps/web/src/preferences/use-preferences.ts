import { createContext, use, useSyncExternalStore } from 'react'
import type { PreferenceStore, Preferences } from './preferences.ts'

export const PreferencesContext = createContext<PreferenceStore | undefined>(undefined)

export function usePreferences(): PreferenceStore {
  const store = use(PreferencesContext)
  if (!store) throw new Error('PreferencesContext is missing')
  return store
}

export function usePreference<N extends keyof Preferences>(name: N): Preferences[N] {
  const { subscribe, get } = usePreferences()
  return useSyncExternalStore(subscribe, () => get(name))
}
