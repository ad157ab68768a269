import { AppError, type Session, type SessionInfo, type SessionStatus } from '@dataagent/schema'
import type { Principal } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { toSessionStatus } from '../runs/index.ts'
import { hasFeature } from '../tenants/index.ts'

/** The caller's own session. Another's is `not_found`, whoever asks: reading does not touch it. */
export async function findSession(
  { stores }: Platform,
  { tenant_id, user_id }: Principal,
  session_id: string,
): Promise<Session> {
  const session = await stores.sessions.get(tenant_id, session_id)
  if (session?.user_id === user_id) return session
  throw new AppError('not_found', `there is no session ${session_id}`)
}

/** Sessions as they are listed, in the same order. */
export async function toSessionInfos(
  { tables, tenants }: Platform,
  sessions: readonly Session[],
): Promise<SessionInfo[]> {
  const runs = await tables.runs.latestOf(sessions.map(({ session_id }) => session_id))
  const statusOf = new Map(runs.map((run) => [run.session_id, toSessionStatus(run.status)]))
  return sessions.map((session) => {
    const info = toInfo(session, statusOf.get(session.session_id) ?? 'idle')
    // What is set holds only as long as the tenant may have it.
    const mayBe = hasFeature(tenants.featuresOf(session.tenant_id), 'auto_approve')
    return { ...info, auto_approve: session.state.auto_approve && mayBe }
  })
}

export async function toSessionInfo(platform: Platform, session: Session): Promise<SessionInfo> {
  const [info] = await toSessionInfos(platform, [session])
  return info as SessionInfo
}

/** What people call it; undefined where nobody has named it. */
export function titleOf({ metadata }: Session): string | undefined {
  return typeof metadata.title === 'string' ? metadata.title : undefined
}

/** The metadata with this title; an empty one takes it away. */
export function withTitle({ metadata }: Session, title: string): Session['metadata'] {
  const { title: _, ...rest } = metadata
  return title === '' ? rest : { ...rest, title }
}

function toInfo(session: Session, status: SessionStatus): SessionInfo {
  const { session_id, user_id, assistant_id, created_at, last_active, state } = session
  const title = titleOf(session)
  return {
    ...{ session_id, user_id, assistant_id, created_at, last_active, status },
    ...(title !== undefined && { title }),
    servers_off: state.servers_off ?? [],
  }
}
