import { createContext, use, useMemo, useState } from 'react'
import { usePreferences } from '../preferences/use-preferences.ts'
import type { StepId } from './steps.ts'

/** The tour of the first run: where it is, and the ways through it. */
export interface Tour {
  /** The step; undefined while there is no tour. */
  at: StepId | undefined
  start(): void
  go(step: StepId): void
  /** Finished or put away: it is not offered again, but can be taken from Help. */
  end(): void
}

export const TourContext = createContext<Tour | undefined>(undefined)

export function useTour(): Tour {
  const tour = use(TourContext)
  if (!tour) throw new Error('TourContext is missing')
  return tour
}

export function useTourState(): Tour {
  const preferences = usePreferences()
  const [at, setAt] = useState<StepId>()
  return useMemo(
    () => ({
      at,
      start: () => setAt('ask'),
      go: setAt,
      end() {
        setAt(undefined)
        preferences.set('tour', 'over')
      },
    }),
    [at, preferences],
  )
}
