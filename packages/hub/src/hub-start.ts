import type { Clock } from '@dataagent/guard'
import type { Approvals } from './approvals/index.ts'
import type { Catalogue } from './catalogue/index.ts'
import type { HubOptions } from './hub-options.ts'
import type { Policy } from './policy/index.ts'
import type { Results } from './results/index.ts'
import type { Revisions } from './revisions/index.ts'
import type { Servers } from './servers/index.ts'
import type { Upstreams } from './upstreams/index.ts'

interface Rooms {
  servers: Pick<Servers, 'reload'>
  catalogue: Pick<Catalogue, 'reload'>
  policy: Pick<Policy, 'reload'>
  upstreams: Pick<Upstreams, 'start'>
  approvals: Pick<Approvals, 'start'>
  results: Pick<Results, 'sweep'>
  revisions: Pick<Revisions, 'follow' | 'check' | 'start'>
}

export interface StartOptions {
  clock: Clock
  onLog: NonNullable<HubOptions['onLog']>
  reloadTenants: HubOptions['reloadTenants']
}

const sweepMs = 60_000

/** Fills memory from the store, then follows it; connects in the background. Runs once. */
export function createStart(rooms: Rooms, { clock, onLog, reloadTenants }: StartOptions) {
  const { servers, catalogue, policy, upstreams, approvals, results, revisions } = rooms
  let phase: 'new' | 'following' | 'started' | 'stopped' = 'new'
  let cancelSweep = () => {}

  function follow(): void {
    phase = 'following'
    revisions.follow('servers', servers.reload)
    revisions.follow('tools', catalogue.reload)
    revisions.follow('policy', policy.reload)
    if (reloadTenants) revisions.follow('tenants', reloadTenants)
  }

  function sweepLater(): void {
    cancelSweep = clock.after(sweepMs, () => {
      results
        .sweep()
        .catch((error) => onLog({ level: 'warn', message: 'old results were not removed', error }))
      sweepLater()
    })
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
      sweepLater()
    },
    stop(): void {
      phase = 'stopped'
      cancelSweep()
    },
  }
}
