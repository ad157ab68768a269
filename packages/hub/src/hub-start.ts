import type { Approvals } from './approvals/index.ts'
import type { Audit } from './audit/index.ts'
import type { Catalogue } from './catalogue/index.ts'
import type { HubOptions } from './hub-options.ts'
import type { Policy } from './policy/index.ts'
import type { Retention } from './retention/index.ts'
import type { Revisions } from './revisions/index.ts'
import type { Servers } from './servers/index.ts'
import type { Upstreams } from './upstreams/index.ts'

interface Rooms {
  audit: Pick<Audit, 'forget'>
  servers: Pick<Servers, 'reload'>
  catalogue: Pick<Catalogue, 'reload'>
  policy: Pick<Policy, 'reload'>
  upstreams: Pick<Upstreams, 'start'>
  approvals: Pick<Approvals, 'start'>
  retention: Pick<Retention, 'start'>
  revisions: Pick<Revisions, 'follow' | 'check' | 'start'>
}

export type StartOptions = Pick<HubOptions, 'reloadTenants' | 'reloadAgents' | 'reloadGroups'>

/** Fills memory from the store, then follows it; connects in the background. Runs once. */
export function createStart(rooms: Rooms, options: StartOptions) {
  const { audit, servers, catalogue, policy, upstreams, approvals, retention, revisions } = rooms
  const { reloadTenants, reloadAgents, reloadGroups } = options
  let phase: 'new' | 'following' | 'started' | 'stopped' = 'new'

  function follow(): void {
    phase = 'following'
    revisions.follow('servers', servers.reload)
    revisions.follow('tools', catalogue.reload)
    revisions.follow('policy', policy.reload)
    revisions.follow('calls', async (tenant_id) => {
      if (tenant_id !== undefined) await audit.forget(tenant_id)
    })
    if (reloadTenants) revisions.follow('tenants', reloadTenants)
    if (reloadAgents) revisions.follow('agents', reloadAgents)
    if (reloadGroups) revisions.follow('groups', reloadGroups)
  }

  return {
    async start(): Promise<void> {
      if (phase === 'new') follow()
      if (phase !== 'following') return
      // The first check loads everything that is followed.
      await revisions.check()
      if (phase !== 'following') return
      phase = 'started'
      revisions.start()
      approvals.start()
      upstreams.start()
      retention.start()
    },
    stop(): void {
      phase = 'stopped'
    },
  }
}
