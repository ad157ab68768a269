import { type User, usersQuerySchema, workspacesPageSchema } from '@dataagent/schema'
import { defineRoute, type Route, tenantOf } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'

/** How many are measured at once: one that was not counted yet is gone through. */
const atOnce = 8

/** How full the workspaces of a tenant are. What is in them is their owners' alone [D32.3]. */
export function workspaceRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...{ method: 'GET', path: '/workspaces', tag: 'files', access: 'auditor' },
      summary: 'Size, quota and last use of each user’s workspace, by user.',
      query: usersQuerySchema,
      answer: workspacesPageSchema,
      async handle({ principal, query: { tenant_id: asked, q, ...page }, signal }) {
        const tenant_id = tenantOf(principal, asked)
        const { users } = platform().tables
        const [list, total] = await Promise.all([
          users.list(tenant_id, { ...page, q }),
          users.count(tenant_id, { q }),
        ])
        return { workspaces: await glanceAt(platform(), list, signal), ...page, total }
      },
    }),
  ]
}

async function glanceAt(
  { workspaces, log }: Platform,
  users: readonly User[],
  signal: AbortSignal,
) {
  const glance = async ({ tenant_id, user_id, name }: User) => {
    const seen = await workspaces.glance({ tenant_id, user_id }, { signal })
    const { status, bytes, quota_bytes, used_at } = seen
    if (status === 'unknown')
      log.warn({ error: seen.cause, tenant_id, user_id }, 'a workspace could not be measured')
    return { tenant_id, user_id, name, status, bytes, quota_bytes, used_at }
  }
  const seen = []
  for (let from = 0; from < users.length; from += atOnce) {
    const some = users.slice(from, from + atOnce)
    seen.push(...(await Promise.all(some.map(glance))))
  }
  return seen
}
