import type { ApprovalScope, DecisionRequestInput, JsonObject } from '@dataagent/schema'
import { useState } from 'react'
import { useProblem } from '../api/use-problem.ts'

export type DecisionForm = 'edit' | 'reject' | 'hand_over'

/** Which form is open, what is being sent, and why it was not taken. */
export function useDecision(send: (decision: DecisionRequestInput) => Promise<unknown>) {
  const toProblem = useProblem()
  const [open, setOpen] = useState<DecisionForm>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function decide(decision: DecisionRequestInput) {
    setBusy(true)
    setProblem(undefined)
    try {
      await send(decision)
      setOpen(undefined)
    } catch (error) {
      setProblem(toProblem(error))
    }
    setBusy(false)
  }

  return {
    ...{ open, setOpen, busy, problem },
    approve: (fields: { scope?: ApprovalScope; args?: JsonObject }) =>
      void decide({ type: 'approve', ...fields }),
    reject: (message: string, on_reject: 'end' | 'tell') =>
      void decide({ type: 'reject', message, on_reject }),
  }
}

export type DecisionState = ReturnType<typeof useDecision>
