import { Compass } from 'lucide-react'
import { usePreference, usePreferences } from '../preferences/use-preferences.ts'
import { useTour } from '../tour/tour-context.ts'
import { Button } from '../ui/button.tsx'
import { useWords } from '../words/use-words.ts'
import { firstRunWords } from './first-run-words.ts'

/** Offers the tour until it was taken or declined; on a phone there is no room for it. */
export function TourInvitation() {
  const words = useWords(firstRunWords)
  const preferences = usePreferences()
  const tour = useTour()
  const isNew = usePreference('tour') === 'new'
  if (!isNew || tour.at !== undefined) return null
  return (
    <section
      aria-label={words.tourTitle}
      className="hidden w-full items-center gap-3 rounded-xl border border-accent/40 bg-accent-soft px-4 py-3 text-left text-sm md:flex"
    >
      <Compass aria-hidden="true" className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1">
        <strong>{words.tourTitle}</strong> {words.tourAbout}
      </p>
      <Button kind="primary" size="small" onClick={tour.start}>
        {words.tourStart}
      </Button>
      <Button kind="quiet" size="small" onClick={() => preferences.set('tour', 'over')}>
        {words.tourSkip}
      </Button>
    </section>
  )
}
