import type { Client } from '@dataagent/client'
import type { Me } from '@dataagent/schema'
import { createContext, use } from 'react'

/** Who is signed in, and the way to the server for them. */
export interface Session {
  client: Client
  me: Me
  signOut(): Promise<void>
}

export const SessionContext = createContext<Session | undefined>(undefined)

function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('SessionContext is missing')
  return session
}

export const useClient = (): Client => useSession().client
export const useMe = (): Me => useSession().me
export const useSignOut = () => useSession().signOut

/** Whether the caller manages a tenant. */
export function useIsAdmin(): boolean {
  const { role } = useMe()
  return role === 'admin' || role === 'platform_admin'
}
