import type { Client } from '@dataagent/client'
import type { SessionInfo } from '@dataagent/schema'
import type { MutationOptions, QueryClient } from '@tanstack/react-query'

/** One server, off or on for one chat. */
export interface ServerSwitch {
  server_id: string
  on: boolean
}

/** Ids of servers that a chat does without, after these switches. */
export function toOff(off: readonly string[], switches: readonly ServerSwitch[]): string[] {
  return switches.reduce<string[]>(
    (ids, { server_id, on }) => {
      const others = ids.filter((each) => each !== server_id)
      return on ? others : [...others, server_id]
    },
    [...off],
  )
}

/** Not among the lists of chats: they are asked for again while a switch is on its way. */
export const sessionKey = (session_id: string) => ['session', session_id]
export const switchesKey = (session_id: string) => ['servers_off', session_id]

interface SwitchOptions {
  client: { sessions: Pick<Client['sessions'], 'update'> }
  queries: QueryClient
  session_id: string
  onFailed(error: unknown): void
}

/**
 * One after the other, each from the list that the one before has left. One is under way until what
 * is kept of the session is true again.
 */
export function switchServer(
  options: SwitchOptions,
): MutationOptions<SessionInfo, Error, ServerSwitch> {
  const { client, queries, session_id, onFailed } = options
  const queryKey = sessionKey(session_id)
  const mutationKey = switchesKey(session_id)
  return {
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    // Messages wait for it: it fails where it would wait for the network.
    networkMode: 'always',
    mutationFn(change) {
      const { servers_off = [] } = queries.getQueryData<SessionInfo>(queryKey) ?? {}
      return client.sessions.update(session_id, { servers_off: toOff(servers_off, [change]) })
    },
    async onSuccess({ servers_off = [] }) {
      await queries.cancelQueries({ queryKey })
      queries.setQueryData<SessionInfo>(queryKey, (info) => info && { ...info, servers_off })
    },
    async onError(error) {
      onFailed(error)
      await queries.invalidateQueries({ queryKey })
    },
  }
}
