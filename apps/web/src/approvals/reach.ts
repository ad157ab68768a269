import type { ActionRequest, Approval, ApprovalScope, Role } from '@dataagent/schema'

/** What a person may answer to a call. */
export interface Reach {
  scopes: readonly ApprovalScope[]
  mayEdit: boolean
}

const all: readonly ApprovalScope[] = ['once', 'tool', 'server', 'always']

/** Under this server stand the tools of the platform itself, which have none. */
const ownServer = 'dataagent'

/** What the call itself leaves open: see `action_request.reach`. */
export function reachOfAction(action: ActionRequest, server_id: string | undefined): Reach {
  const { reach, not_shown } = action as ActionRequest & { reach?: unknown; not_shown?: unknown }
  const listed = (reach as { scopes?: unknown } | undefined)?.scopes
  const cut = (not_shown as { cut?: unknown } | undefined)?.cut
  const hasServer = server_id !== undefined && server_id !== ownServer
  const open = all.filter((scope) => scope !== 'server' || hasServer)
  return {
    scopes: Array.isArray(listed) ? open.filter((scope) => listed.includes(scope)) : open,
    mayEdit: !(typeof cut === 'number' && cut > 0),
  }
}

/** The same for one who decides: for another person only an administrator says more than yes. */
export function reachOf(approval: Approval, me: { user_id: string; role: Role }): Reach {
  const { scopes, mayEdit } = reachOfAction(approval.action_request, approval.server_id)
  const isAdmin = me.role === 'admin' || me.role === 'platform_admin'
  const isFar = isAdmin || approval.user_id === me.user_id
  const fits = (scope: ApprovalScope) => {
    if (scope === 'once') return true
    if (!isFar || approval.user_id === null) return false
    return scope === 'always' || approval.session_id !== null
  }
  return { scopes: scopes.filter(fits), mayEdit: mayEdit && isFar }
}
