import { Bell, BellOff } from 'lucide-react'
import { usePreference, usePreferences } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { inboxWords } from '../inbox-words.ts'

/** Asks the browser for leave to notify, and switches it off again. Nothing where it cannot. */
export function NotifyButton() {
  const words = useWords(inboxWords)
  const preferences = usePreferences()
  const toaster = useToaster()
  const isOn = usePreference('notices') === 'on'
  if (!('Notification' in window)) return null

  async function toggle() {
    if (isOn) {
      preferences.set('notices', 'off')
      toaster.done(words.notifyOff)
      return
    }
    const answer = await Notification.requestPermission()
    if (answer === 'granted') preferences.set('notices', 'on')
    else toaster.failed(words.notifyDenied)
  }

  const Icon = isOn ? Bell : BellOff
  return (
    <Button
      kind="quiet"
      aria-pressed={isOn}
      title={words.notifyAbout}
      icon={<Icon aria-hidden="true" className="size-4" />}
      onClick={() => void toggle()}
    >
      {isOn ? words.notifyOn : words.notify}
    </Button>
  )
}
