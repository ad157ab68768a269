import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Confirm } from '../ui/confirm.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useProblem } from './use-problem.ts'

interface ConfirmActProps {
  title: string
  /** What the button says that does it. */
  action: string
  children: ReactNode
  /** May give what is said when it is done, where that is not known before. */
  work(): Promise<unknown>
  done?: string
  /** What is to be read again. */
  reload?: readonly QueryKey[]
  onClose(): void
}

/** Asks first; then does it, says so, and shows the lists as they are then. */
export function ConfirmAct({ work, done, reload = [], ...asked }: ConfirmActProps) {
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()

  async function confirm() {
    const said = await work()
    await Promise.all(reload.map((queryKey) => queries.invalidateQueries({ queryKey })))
    const text = done ?? said
    if (typeof text === 'string') toaster.done(text)
  }

  return <Confirm {...asked} toProblem={toProblem} onConfirm={confirm} />
}
