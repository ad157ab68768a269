import type { Clock } from '@dataagent/guard'
import { type Hub, originOf, toUpstreamKey, type UpstreamKey } from '@dataagent/hub'
import type { Principal } from '../identity/index.ts'

export interface WakeOptions {
  hub: Hub
  clock: Clock
  /** Servers that the session does without. */
  without: ReadonlySet<string>
  /** How long is waited for servers that do not come. */
  patienceMs: number
  /** Ends the wait. */
  signal: AbortSignal
}

/**
 * Has the servers connected that a session's user has and nobody has tried yet: those of users are
 * connected when they are needed, and all of them in the background. Waits a while, and never
 * rejects.
 */
export async function wakeServers(
  { hub, clock, without, patienceMs, signal }: WakeOptions,
  user: Pick<Principal, 'tenant_id' | 'user_id'>,
  session_id: string,
): Promise<void> {
  const keys = hub.servers
    .visibleTo(user, session_id)
    .filter(({ config, server_id }) => !config.disabled && !without.has(originOf(server_id)))
    .map((server) => toUpstreamKey(server, user.user_id))
    .filter((key) => isUntried(hub, key))
  if (keys.length === 0) return
  const late = Promise.withResolvers<void>()
  const cancel = clock.after(signal.aborted ? 0 : patienceMs, late.resolve)
  signal.addEventListener('abort', () => late.resolve(), { once: true })
  await Promise.race([
    Promise.allSettled(keys.map((key) => hub.upstreams.refresh(key))),
    late.promise,
  ])
  cancel()
}

/** Of the connection that this user's calls go through: another user's says nothing of it. */
function isUntried(hub: Hub, { tenant_id, server_id, user_id }: UpstreamKey): boolean {
  const all = hub.upstreams.health(tenant_id, server_id)
  const own = all.find((health) => health.user_id === user_id)
  return own === undefined || own.status === 'stopped'
}
