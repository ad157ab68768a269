import { withAutoApprove } from '@dataagent/core'
import { AppError, type Session, type SessionUpdate } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { hasFeature } from '../tenants/index.ts'
import { withTitle } from './sessions-view.ts'

/** Renames a session, and switches whether it approves by itself what would ask. */
export async function updateSession(
  platform: Platform,
  principal: Principal,
  { session, update }: { session: Session; update: SessionUpdate },
): Promise<Session> {
  const { title, auto_approve } = update
  const { tenant_id, session_id, state } = session
  if (auto_approve) requireAutoApprove(platform, principal)
  if (auto_approve !== undefined && auto_approve !== state.auto_approve)
    await noteSwitch(platform, principal, { session_id, auto_approve })
  return platform.stores.sessions.update(tenant_id, session_id, (current) => ({
    ...(title !== undefined && { metadata: withTitle(current, title) }),
    ...(auto_approve !== undefined && { state: withAutoApprove(current.state, auto_approve) }),
  }))
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

function requireAutoApprove({ tenants }: Platform, { tenant_id }: Principal): void {
  if (hasFeature(tenants.featuresOf(tenant_id), 'auto_approve')) return
  throw new AppError('forbidden', 'Your organisation does not allow approval without asking.')
}
