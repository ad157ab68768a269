import { AppError } from '@dataagent/schema'
import {
  isAdministrator,
  isAuditor,
  isMachine,
  isPlatformAdministrator,
  isSomeone,
  type Principal,
} from '../principal.ts'
import {
  platformTenant,
  type RegisteredServer,
  type ServerRow,
  type ServerScope,
  serverScopes,
} from './contract.ts'

/**
 * Whose a new server is. Throws `forbidden` for a scope that is not the caller's to fill,
 * `invalid_request` for one that there is not.
 */
export function toPlace(
  principal: Principal,
  scope: ServerScope,
): Pick<ServerRow, 'tenant_id' | 'owner'> {
  assertScope(principal, scope)
  if (scope === 'platform') return { tenant_id: platformTenant, owner: '' }
  const owner = scope === 'user' ? (principal.user_id ?? '') : ''
  return { tenant_id: principal.tenant_id, owner }
}

/** Throws `forbidden` for a server that the caller may see and not change. */
export function assertMayChange(principal: Principal, server: RegisteredServer): void {
  assertScope(principal, scopeOf(server))
}

export function scopeOf({ tenant_id, user_id }: RegisteredServer): ServerScope {
  if (tenant_id === platformTenant) return 'platform'
  return user_id === null ? 'tenant' : 'user'
}

/** Whether the principal may know that the server exists. */
export function isVisible(principal: Principal, server: RegisteredServer): boolean {
  const isNear = [platformTenant, principal.tenant_id].includes(server.tenant_id)
  return isNear && (server.user_id === null || server.user_id === principal.user_id)
}

/** Whether it is another user's, whose servers an administrator may change, disable and remove. */
export function isManaged(principal: Principal, server: RegisteredServer): boolean {
  const isOwn = server.user_id === principal.user_id
  if (server.user_id === null || isOwn || server.tenant_id !== principal.tenant_id) return false
  return isAdministrator(principal)
}

function assertScope(principal: Principal, scope: ServerScope): void {
  if (!serverScopes.includes(scope)) {
    throw new AppError('invalid_request', `scope: expected ${serverScopes.join(', ')}`)
  }
  if (isAuditor(principal)) throw forbidden('an auditor changes no server')
  if (scope === 'platform') {
    if (isPlatformAdministrator(principal)) return
    throw forbidden('servers for all tenants are managed by platform administrators')
  }
  if (!isSomeone(principal)) {
    throw forbidden('the server needs one tenant, and one user or none: name them in the caller')
  }
  if (scope === 'tenant' && !isAdministrator(principal)) {
    throw forbidden('shared servers are managed by administrators: add one of your own instead')
  }
  if (scope === 'user' && (principal.user_id === null || isMachine(principal))) {
    throw forbidden("a user's server is managed by the user: this credential belongs to none")
  }
}

function forbidden(message: string): AppError {
  return new AppError('forbidden', message)
}
