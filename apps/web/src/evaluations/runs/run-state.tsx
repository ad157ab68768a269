import type { EvaluationState, TrialStatus } from '@dataagent/schema'
import { StateDot, type Tone } from '../../ui/badge.tsx'
import { useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { isOpen } from '../use-evaluations.ts'

const stateTones: Record<EvaluationState, Tone> = {
  ...{ queued: 'wait', running: 'info', done: 'good' },
  ...{ interrupted: 'wait', cancelled: 'plain', error: 'bad' },
}

const statusTones: Record<TrialStatus, Tone> = {
  ...{ passed: 'good', failed: 'bad', error: 'wait', timeout: 'info' },
}

export function RunState({ state }: { state: EvaluationState }) {
  const { states } = useWords(evaluationsWords)
  return <StateDot tone={stateTones[state]} text={states[state]} pulse={isOpen(state)} />
}

export function TrialState({ status }: { status: TrialStatus }) {
  const { statuses } = useWords(evaluationsWords)
  return <StateDot tone={statusTones[status]} text={statuses[status]} />
}
