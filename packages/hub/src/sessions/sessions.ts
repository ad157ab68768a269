import type { Clock } from '@dataagent/guard'
import type { Principal } from '../principal.ts'
import type { Revisions } from '../revisions/index.ts'
import type { Servers } from '../servers/index.ts'
import type { SessionRef, SessionRows, Sessions } from './contract.ts'

export interface SessionsOptions {
  rows: SessionRows
  servers: Pick<Servers, 'reload' | 'differsAt'>
  publish: Revisions['publish']
  clock: Clock
}

/** What the rooms of the hub ask. */
export interface HeldSessions extends Sessions {
  /** Where the user's own servers are others by now: the revision at which the session began. */
  snapshotOf(
    principal: Pick<Principal, 'tenant_id' | 'user_id'>,
    session_id: string | undefined,
  ): number | undefined
  /** Deletes sessions that ended without a word. */
  sweep(): Promise<void>
}

/** As long as the rules that hold for one session. */
const idleMs = 7 * 86_400_000

export function createSessions({ rows, servers, publish, clock }: SessionsOptions): HeldSessions {
  const held = new Map<string, { user_id: string; snapshot: number; openedAt: number }>()
  /** The revision of a tenant's servers that memory is known to hold. */
  const loaded = new Map<string, number>()

  let forgetAt = clock.now()

  /** Those that go on elsewhere, or ended without a word. */
  function forgetIdle(now: number): void {
    if (now < forgetAt) return
    forgetAt = now + idleMs / 100
    for (const [key, { openedAt }] of held) if (openedAt < now - idleMs) held.delete(key)
  }

  async function dropped(tenant_id: string): Promise<void> {
    await servers.reload(tenant_id)
    await publish(tenant_id, 'servers')
  }

  return {
    async open({ tenant_id, session_id, user_id }) {
      const ref = { tenant_id, session_id, user_id }
      const { snapshot, isNew } = await rows.open(ref, clock.now())
      // It begins with what is stored: memory may be a moment behind.
      if (isNew && snapshot > (loaded.get(tenant_id) ?? -1)) {
        await servers.reload(tenant_id)
        loaded.set(tenant_id, snapshot)
      }
      forgetIdle(clock.now())
      held.set(toKey(ref), { user_id, snapshot, openedAt: clock.now() })
    },

    async close({ tenant_id, session_id }) {
      const ref = { tenant_id, session_id }
      held.delete(toKey(ref))
      if (await rows.close(ref)) await dropped(tenant_id)
    },

    snapshotOf(principal, session_id) {
      if (session_id === undefined || held.size === 0) return undefined
      const session = held.get(toKey({ tenant_id: principal.tenant_id, session_id }))
      if (session === undefined || session.user_id !== principal.user_id) return undefined
      return servers.differsAt(principal, session.snapshot)
    },

    async sweep() {
      for (const tenant_id of await rows.sweep(clock.now() - idleMs)) await dropped(tenant_id)
    },
  }
}

/** The length tells where the tenant ends. Asked for at every call. */
function toKey({ tenant_id, session_id }: SessionRef): string {
  return `${tenant_id.length}/${tenant_id}${session_id}`
}
