import { useSharedServers } from '../tools/use-servers.ts'

export interface Samples {
  /** Ids of those that run or are about to. */
  there: readonly string[]
  /** Whether one of them is on its way. */
  isStarting: boolean
  /** Whether it is known yet. */
  isKnown: boolean
}

/** The sample servers of this installation, if it has any. */
export function useSamples(): Samples {
  const { data, isError } = useSharedServers()
  const samples = (data ?? []).filter(({ sample, disabled }) => sample && !disabled)
  return {
    there: samples.filter(({ status }) => status !== 'error').map((one) => one.server_id),
    isStarting: samples.some(({ status }) => status === 'stopped'),
    isKnown: data !== undefined || isError,
  }
}
