import type { Edition, Hub, Principal, RegisteredServer, ServerGate } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
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
 * What users began to run while it was approved ends with that, in sessions under way too. Never
 * rejects: what cannot be switched off is told to the operator, and the others are.
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

/** Whether it is approved, or nothing that users start. */
async function mayRun(
  { tenant_id, user_id, config }: RegisteredServer | Edition,
  { users, gate }: SwitchOffMeans,
): Promise<boolean> {
  if (user_id === null || config.transport !== 'stdio' || config.disabled) return true
  const { role = 'user' } = (await users.get(tenant_id, user_id)) ?? {}
  try {
    await gate.check({ tenant_id, user_id, role }, config, 'user')
    return true
  } catch (error) {
    if (isAppError(error, 'forbidden')) return false
    throw error
  }
}
