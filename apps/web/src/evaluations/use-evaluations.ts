import type { EvaluationState } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useClient, useMe } from '../api/api-context.ts'

export const evaluationsKey = 'evaluations'
export const pageSize = 50
const most = 200

export function isOpen(state: EvaluationState | undefined): boolean {
  return state === 'queued' || state === 'running'
}

export function useDatasets(offset = 0, limit = pageSize) {
  const client = useClient()
  return useQuery({
    queryKey: [evaluationsKey, 'datasets', offset, limit],
    queryFn: ({ signal }) => client.evaluations.datasets({ offset, limit }, { signal }),
    refetchInterval: 15_000,
  })
}

export function useDataset(dataset_id: string) {
  const client = useClient()
  return useQuery({
    queryKey: [evaluationsKey, 'dataset', dataset_id],
    queryFn: ({ signal }) => client.evaluations.dataset(dataset_id, { signal }),
  })
}

/** Administrators and auditors see those of everyone. */
export function useRuns(offset = 0, limit = pageSize) {
  const client = useClient()
  const { role } = useMe()
  const all = role === 'user' ? {} : ({ all: 'true' } as const)
  return useQuery({
    queryKey: [evaluationsKey, 'runs', offset, limit],
    queryFn: ({ signal }) => client.evaluations.runs({ offset, limit, ...all }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.runs.some(({ state }) => isOpen(state)) ? 2_000 : 15_000,
  })
}

/** Those that another may be compared with: over, and with a report. */
export function useBaselines(except?: string) {
  const { data } = useRuns(0, most)
  return data?.runs.filter(
    ({ run_id, state, counts }) => run_id !== except && !isOpen(state) && counts.total > 0,
  )
}

/** Looked at every second while it runs; less often where that is much to read. */
export function useRun(run_id: string) {
  const client = useClient()
  return useQuery({
    queryKey: [evaluationsKey, 'run', run_id],
    queryFn: ({ signal }) => client.evaluations.run(run_id, { signal }),
    refetchInterval({ state: { data } }) {
      if (!isOpen(data?.state)) return 15_000
      return (data?.questions.length ?? 0) > 500 ? 3_000 : 1_000
    },
  })
}

export function useReport(run_id: string, enabled: boolean) {
  const client = useClient()
  return useQuery({
    queryKey: [evaluationsKey, 'report', run_id],
    queryFn: ({ signal }) => client.evaluations.report(run_id, { signal }),
    enabled,
    retry: false,
    staleTime: 60_000,
  })
}

export function useMayRun(): boolean {
  return useMe().role !== 'auditor'
}
