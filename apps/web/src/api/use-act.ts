import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useToaster } from '../ui/toasts.tsx'
import { useProblem } from './use-problem.ts'

interface Act {
  /** Which of several it is, for `busy`. */
  name: string
  work(): Promise<unknown>
  /** What is said when it is done. */
  done?: string
  /** What is to be read again. */
  reload?: QueryKey
}

/** Does something at a click, says how it went, and shows the lists as they are then. */
export function useAct() {
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const [busy, setBusy] = useState<string>()

  async function act({ name, work, done, reload }: Act): Promise<void> {
    setBusy(name)
    try {
      await work()
      if (done !== undefined) toaster.done(done)
    } catch (error) {
      toaster.failed(toProblem(error))
    }
    if (reload) await queries.invalidateQueries({ queryKey: reload })
    setBusy(undefined)
  }

  return { act: (what: Act) => void act(what), busy }
}
