import type { Clock } from '@dataagent/guard'
import { type Hub, platformTenant, type RegisteredServer } from '@dataagent/hub'
import type { Approval, Notice } from '@dataagent/schema'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { Sockets } from './sockets.ts'

export interface NewsOptions {
  hub: Pick<Hub, 'servers' | 'upstreams' | 'approvals'>
  sockets: Pick<Sockets, 'tell'>
  clock: Clock
}

type Change = Extract<Notice, { event_type: 'mcp_servers_changed' }>['change']

/**
 * Tells sockets what concerns their people: their servers and how they are [D30.7], and approvals
 * that they may decide. The function ends it.
 */
export function tellNews({ hub, sockets, clock }: NewsOptions): () => void {
  const known = new Map<string, RegisteredServer>()
  const keyOf = (tenant_id: string, server_id: string) => JSON.stringify([tenant_id, server_id])
  for (const server of hub.servers.all())
    known.set(keyOf(server.tenant_id, server.server_id), server)

  function tellServer(server: RegisteredServer, change: Change): void {
    const { config, tenant_id, user_id } = server
    const notice = { event_type: 'mcp_servers_changed', timestamp: clock.now() } as const
    const concerns = (principal: Principal) =>
      tenant_id === platformTenant ||
      (principal.tenant_id === tenant_id && (user_id === null || principal.user_id === user_id))
    sockets.tell(concerns, { ...notice, server_name: config.name, change })
  }

  function tellApproval({ tenant_id, user_id, assignee, approval_id, status }: Approval): void {
    const concerns = (principal: Principal) =>
      principal.tenant_id === tenant_id &&
      (mayAccess(principal, 'admin') || [user_id, assignee].includes(principal.user_id))
    const notice = { event_type: 'approval_changed', timestamp: clock.now() } as const
    sockets.tell(concerns, { ...notice, approval_id, status })
  }

  const ends = [
    hub.servers.onChange((change) => {
      if (change.kind === 'set') {
        const key = keyOf(change.server.tenant_id, change.server.server_id)
        tellServer(change.server, known.has(key) ? 'updated' : 'added')
        known.set(key, change.server)
      }
      if (change.kind === 'removed') {
        const key = keyOf(change.tenant_id, change.server_id)
        const server = known.get(key)
        known.delete(key)
        if (server) tellServer(server, 'removed')
      }
    }),
    hub.upstreams.onHealth(({ tenant_id, server_id }) => {
      const server = known.get(keyOf(tenant_id, server_id))
      if (server) tellServer(server, 'status')
    }),
    hub.approvals.onChange(tellApproval),
  ]
  return () => {
    for (const end of ends) end()
  }
}
