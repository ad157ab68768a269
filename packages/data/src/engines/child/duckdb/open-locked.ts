import { DuckDBInstance } from '@duckdb/node-api'
import type { RunnerLimits } from '../../runner/messages.ts'
import { quoteText } from './quote.ts'

export interface LockedOptions {
  /** A database file, opened for reading; without one the database is empty and in memory. */
  path: string | undefined
  /** What may be read besides. */
  folder: string | undefined
  temporaryFolder: string
  limits: RunnerLimits
}

/** A DuckDB that can reach nothing but what it is given, and whose settings no longer change. */
export async function openLocked(options: LockedOptions): Promise<DuckDBInstance> {
  const { path, folder, temporaryFolder, limits } = options
  const instance = await DuckDBInstance.create(
    path ?? ':memory:',
    path === undefined ? {} : { access_mode: 'READ_ONLY' },
  )
  const connection = await instance.connect()
  const nowhere = quoteText('/nonexistent')
  const settings = {
    threads: String(limits.threads),
    memory_limit: quoteText(`${Math.floor(limits.memoryBytes / 1024)}KiB`),
    temp_directory: quoteText(temporaryFolder),
    max_temp_directory_size: quoteText(`${Math.floor(limits.spillBytes / 1024)}KiB`),
    home_directory: nowhere,
    secret_directory: nowhere,
    extension_directory: nowhere,
    ...(folder !== undefined && { allowed_directories: `[${quoteText(`${folder}/`)}]` }),
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_access: 'false',
    lock_configuration: 'true',
  }
  for (const [name, value] of Object.entries(settings)) await connection.run(`SET ${name}=${value}`)
  connection.disconnectSync()
  return instance
}
