import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { sessionKey } from './server-switches.ts'

/** What is kept with a chat. Undefined until it is known. */
export function useSessionInfo(session_id: string) {
  const client = useClient()
  const { data } = useQuery({
    queryKey: sessionKey(session_id),
    queryFn: ({ signal }) => client.sessions.get(session_id, { signal }),
  })
  return data
}
