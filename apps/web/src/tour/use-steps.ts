import { useState } from 'react'
import { useIsAdmin } from '../api/api-context.ts'
import { firstRunWords } from '../first-run/first-run-words.ts'
import { useSamples } from '../first-run/use-samples.ts'
import { useMayAdd } from '../tools/use-may-add.ts'
import { useWords } from '../words/use-words.ts'
import { keepSteps, type TourStep } from './steps.ts'

/** The steps that this person can take on this installation, or could since the tour began. */
export function useSteps(): TourStep[] {
  const now = usePossible()
  const [kept, setKept] = useState(now)
  const steps = keepSteps(kept, now)
  if (steps.length > kept.length) setKept(steps)
  return steps
}

function usePossible(): TourStep[] {
  const words = useWords(firstRunWords)
  const { there } = useSamples()
  const mayAdd = useMayAdd()
  const isAdmin = useIsAdmin()
  const hasMall = there.includes('mall')
  const chat = { to: '/c', target: '[data-tour="composer"]' } as const
  const ask = hasMall ? words.mallOrder : words.tools
  return [
    { ...chat, id: 'ask', ask },
    ...(hasMall ? [{ ...chat, id: 'approve', ask: words.mallCancel } as const] : []),
    ...(mayAdd
      ? [{ id: 'server', to: '/tools', target: '[data-tour="add-server"]' } as const]
      : []),
    ...(isAdmin
      ? [{ id: 'expose', to: '/tools/expose', target: '[data-tour="new-group"]' } as const]
      : []),
  ]
}
