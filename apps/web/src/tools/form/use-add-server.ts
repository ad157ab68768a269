import type { ServerConfigInput, ServerInfo } from '@dataagent/schema'
import { useNavigate } from '@tanstack/react-router'
import { useClient, useMe } from '../../api/api-context.ts'
import { takesOwn, useRefresh } from '../use-servers.ts'
import type { Scope } from './draft.ts'

/** Adds a server, begins to connect it, and shows the list that tells how that goes. */
export function useAddServer() {
  const client = useClient()
  const { user_id } = useMe()
  const refresh = useRefresh()
  const navigate = useNavigate()

  async function connect(info: ServerInfo): Promise<void> {
    await refresh()
    if (info.disabled || takesOwn(info)) return
    await client.servers.reconnect(info.server_id).catch(() => undefined)
    await refresh()
  }

  return async (scope: Scope, config: ServerConfigInput): Promise<ServerInfo> => {
    const info =
      scope === 'user'
        ? await client.userServers.create(user_id, config)
        : await client.servers.create({ scope, config })
    void connect(info)
    void navigate({ to: '/tools', search: { tab: scope === 'user' ? 'mine' : 'shared' } })
    return info
  }
}
