import type { EvaluationRun, TrialStatus } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { evaluationsKey, isOpen } from '../use-evaluations.ts'

interface Wanted {
  question_id?: string
  status?: TrialStatus
  offset?: number
  limit?: number
}

/** Trials of a run; looked at again while it goes on. */
export function useTrials({ run_id, state }: EvaluationRun, wanted: Wanted) {
  const client = useClient()
  return useQuery({
    queryKey: [evaluationsKey, 'trials', run_id, wanted],
    queryFn: ({ signal }) => client.evaluations.trials(run_id, wanted, { signal }),
    refetchInterval: isOpen(state) ? 2_000 : false,
  })
}
