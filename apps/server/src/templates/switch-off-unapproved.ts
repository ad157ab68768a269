import {
  type Edition,
  type Hub,
  type Principal,
  platformTenant,
  type RegisteredServer,
  type ServerGate,
} from '@dataagent/hub'
import { isAppError, type Role } from '@dataagent/schema'
import type { Logger } from '../log/index.ts'
import type { Users } from '../ports/index.ts'

export interface SwitchOffMeans {
  servers: Pick<Hub['servers'], 'all' | 'editions' | 'get' | 'reload' | 'switchOff'>
  users: Pick<Users, 'get'>
  gate: ServerGate
  log: Pick<Logger, 'error'>
}

type Ref = Pick<RegisteredServer, 'tenant_id' | 'server_id'>

const attemptsMax = 5

/**
 * What users, and tenants for theirs, began to run while it was approved ends with that, in
 * sessions under way too. Never rejects: what cannot be switched off is told to the operator, and
 * the others are.
 */
export async function switchOffUnapproved(by: Principal, means: SwitchOffMeans): Promise<void> {
  const { servers, log } = means
  const told = (ref: Partial<Ref>) => (error: unknown) =>
    log.error({ ...ref, error }, 'what is no longer approved could not be switched off')
  // Another process may have added some a moment ago.
  await servers.reload().catch(told({}))
  const switchOffAll = async (list: readonly Ref[]) => {
    for (const { tenant_id, server_id } of list) {
      const ref = { tenant_id, server_id }
      await switchOffOne(by, ref, means).catch(told(ref))
    }
  }
  await switchOffAll(servers.all())
  // Asked for then: who changes a server meanwhile leaves an edition.
  await switchOffAll(servers.editions())
}

async function switchOffOne(by: Principal, ref: Ref, means: SwitchOffMeans): Promise<void> {
  const { servers } = means
  for (let attempt = 1; ; attempt += 1) {
    const server = servers.get(ref.tenant_id, ref.server_id)
    if (server === undefined || (await mayRun(server, means))) return
    try {
      return await servers.switchOff(by, server)
    } catch (error) {
      const isStale = isAppError(error, 'conflict') || isAppError(error, 'not_found')
      if (!isStale || attempt === attemptsMax) throw error
      await servers.reload(ref.tenant_id)
    }
  }
}

/** Whether it is approved, or nothing that a tenant starts. */
async function mayRun(
  server: RegisteredServer | Edition,
  { users, gate }: SwitchOffMeans,
): Promise<boolean> {
  const { tenant_id, user_id, config } = server
  if (tenant_id === platformTenant || config.transport !== 'stdio' || config.disabled) return true
  try {
    const starter = { tenant_id, user_id, role: await roleOf(server, users) }
    await gate.check(starter, config, user_id === null ? 'tenant' : 'user')
    return true
  } catch (error) {
    if (isAppError(error, 'forbidden')) return false
    throw error
  }
}

/** By whose right it runs: its user's; a shared one's, that of the tenant's administrators. */
async function roleOf(
  { tenant_id, user_id, created_by }: RegisteredServer | Edition,
  users: SwitchOffMeans['users'],
): Promise<Role> {
  const who = user_id ?? created_by
  const role = who ? (await users.get(tenant_id, who))?.role : undefined
  if (user_id !== null) return role ?? 'user'
  return role === 'platform_admin' ? role : 'admin'
}
