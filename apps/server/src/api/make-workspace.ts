import type { FastifyBaseLogger } from 'fastify'
import { mayAccess, type Principal } from '../identity/index.ts'
import type { GetPlatform } from '../platform/index.ts'

/**
 * Makes the workspace of one who signs in, where it is absent [D33.1]. Never throws: one that
 * cannot be made now is made at its first use.
 */
export async function makeWorkspace(
  platform: GetPlatform,
  principal: Principal,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  if (!mayAccess(principal, 'user')) return
  const { tenant_id, user_id } = principal
  try {
    await platform().workspaces.use({ tenant_id, user_id }, async () => {})
  } catch (error) {
    log.warn({ error, tenant_id, user_id }, 'a workspace could not be made')
  }
}
