import { workspaceDirName } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { MemoryOwner } from './contract.ts'

/**
 * The folder of a user's memory below that of all: `ada`, or `@acme/ada` for another than the
 * default tenant. Names made of ids never begin with `@`, so no tenant's folder is one of a user.
 */
export function userFolderOf(
  { tenant_id, user_id }: Omit<MemoryOwner, 'assistant_id'>,
  defaultTenant: string,
): string {
  requireOne(tenant_id)
  requireOne(user_id)
  const user = workspaceDirName(user_id)
  return tenant_id === defaultTenant ? user : `@${workspaceDirName(tenant_id)}/${user}`
}

/** What holds the folders of a tenant's users. Throws `forbidden` for the default tenant's. */
export function tenantFolderOf(tenant_id: string, defaultTenant: string): string {
  requireOne(tenant_id === defaultTenant ? undefined : tenant_id)
  return `@${workspaceDirName(tenant_id)}`
}

/** The folder of what one assistant remembers of one user. */
export function folderOf(owner: MemoryOwner, defaultTenant: string): string {
  requireOne(owner.assistant_id)
  return `${userFolderOf(owner, defaultTenant)}/${workspaceDirName(owner.assistant_id)}`
}

function requireOne(id: unknown): void {
  if (typeof id === 'string' && id !== '' && id !== '*') return
  throw new AppError('forbidden', 'A memory belongs to one user of one tenant, and one assistant')
}
