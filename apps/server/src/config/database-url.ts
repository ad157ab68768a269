import { join } from 'node:path'
import type { Config } from './resolve.ts'

/** The database of these settings, as a URL for `openSql`. It may hold a password. */
export function databaseUrl(config: Config): string {
  if (config.database_url) return config.database_url.reveal()
  if (config.session_store === 'memory') return 'sqlite::memory:'
  if (config.session_store !== 'mysql')
    return `sqlite:${encodeURIComponent(join(config.data_dir, 'dataagent.db'))}`
  const user = encodeURIComponent(config.mysql_user)
  const password = encodeURIComponent(config.mysql_password?.reveal() ?? '')
  const host = config.mysql_host.includes(':') ? `[${config.mysql_host}]` : config.mysql_host
  const database = encodeURIComponent(config.mysql_database)
  return `mysql://${user}:${password}@${host}:${config.mysql_port}/${database}`
}
