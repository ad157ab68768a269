import { withAutoApprove, withServersOff } from '@dataagent/core'
import { AppError, type Session, type SessionState, type SessionUpdate } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { hasFeature } from '../tenants/index.ts'
import { withTitle } from './sessions-view.ts'

/**
 * Renames a session, switches whether it approves by itself what would ask, and which servers it
 * does without.
 */
export async function updateSession(
  platform: Platform,
  principal: Principal,
  { session, update }: { session: Session; update: SessionUpdate },
): Promise<Session> {
  const { title, auto_approve, servers_off } = update
  const { tenant_id, session_id, state } = session
  if (auto_approve) requireAutoApprove(platform, principal)
  if (auto_approve !== undefined && auto_approve !== state.auto_approve)
    await noteSwitch(platform, principal, { session_id, auto_approve })
  return platform.stores.sessions.update(tenant_id, session_id, (current) => ({
    ...(title !== undefined && { metadata: withTitle(current, title) }),
    state: toState(current.state, { auto_approve, servers_off }),
  }))
}

function toState(state: SessionState, update: Switches): SessionState {
  const { auto_approve = state.auto_approve, servers_off = state.servers_off ?? [] } = update
  return withServersOff(withAutoApprove(state, auto_approve), servers_off)
}

interface Switches {
  auto_approve: boolean | undefined
  servers_off: readonly string[] | undefined
}

/**
 * Before it is switched: none is without its note. A session may be on Redis, so the note goes with
 * a change of the tenant's row that changes nothing.
 */
async function noteSwitch(
  { tables, note }: Platform,
  principal: Principal,
  { session_id, auto_approve }: { session_id: string; auto_approve: boolean },
): Promise<void> {
  const { tenant_id } = principal
  const noted = note(principal, {
    ...{ tenant_id, kind: 'setting', target: `session:${session_id}:auto_approve` },
    action: auto_approve ? 'enabled' : 'disabled',
  })
  await tables.tenants.update(tenant_id, {}, { note: noted })
}

/** Throws `forbidden` where the tenant does not have that feature. */
export function requireAutoApprove({ tenants }: Platform, { tenant_id }: Principal): void {
  if (hasFeature(tenants.featuresOf(tenant_id), 'auto_approve')) return
  throw new AppError('forbidden', 'Your organisation does not allow approval without asking.')
}
