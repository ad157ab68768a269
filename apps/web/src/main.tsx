import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createPreferences } from './preferences/preferences.ts'
import { PreferencesContext } from './preferences/use-preferences.ts'
import { ToastProvider } from './ui/toasts.tsx'
import './styles.css'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PreferencesContext value={createPreferences()}>
        <ToastProvider>
          <App />
        </ToastProvider>
      </PreferencesContext>
    </StrictMode>,
  )
}
