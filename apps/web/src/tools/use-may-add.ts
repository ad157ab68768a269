import { useIsAdmin, useMe } from '../api/api-context.ts'
import { toAbsence } from './absence.ts'
import { useOwnServers } from './use-servers.ts'

/** Whether the caller may add servers: of their own, or for others. */
export function useMayAdd(): boolean {
  const { role } = useMe()
  const isAdmin = useIsAdmin()
  const { error } = useOwnServers()
  const absence = toAbsence(error)
  if (role === 'auditor' || absence === 'off') return false
  return isAdmin || absence === undefined
}
