import { usePreference } from '../../preferences/use-preferences.ts'
import { useWaitingApprovals } from '../use-approvals.ts'
import { useNotices } from './use-notices.ts'

/** How many approvals wait for the caller; tells of new ones, where that is wanted. */
export function useWaitingCount(): number {
  const inBackground = usePreference('notices') === 'on'
  const { data } = useWaitingApprovals({ inBackground })
  useNotices(data)
  return data?.length ?? 0
}
