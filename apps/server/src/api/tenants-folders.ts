import { relative } from 'node:path'
import { AppError } from '@dataagent/schema'
import type { Platform } from '../platform/index.ts'

/** A folder that holds files of one tenant alone. */
export interface TenantFolder {
  path: string
  /** As it is below the data directory. */
  name: string
}

/** All that a tenant has on disk: files, archives, what is remembered, kept rows of queries. */
export function foldersOf(platform: Platform, tenant_id: string): TenantFolder[] {
  if (tenant_id === 'default') {
    const message =
      'The files of the tenant default are not apart from those of others: make a backup.'
    throw new AppError('conflict', message)
  }
  const { workspaces, memory, data, config } = platform
  const paths = [...workspaces.foldersOf(tenant_id), ...memory.foldersOf(tenant_id)]
  if (data) paths.push(data.resultsOf(tenant_id))
  return paths.map((path) => ({ path, name: relative(config.data_dir, path) }))
}
