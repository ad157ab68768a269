import { AppError } from '@dataagent/schema'

export type SqlTarget =
  | { kind: 'sqlite'; path: string }
  | { kind: 'mysql' | 'postgres'; url: string }

const schemes: Record<string, SqlTarget['kind']> = {
  sqlite: 'sqlite',
  file: 'sqlite',
  mysql: 'mysql',
  mariadb: 'mysql',
  postgres: 'postgres',
  postgresql: 'postgres',
}

/**
 * Reads a database URL. A driver named in the scheme (`mysql+pymysql://`) is accepted and ignored.
 * SQLite takes `sqlite:///absolute/path`, `sqlite:relative/path` and `sqlite::memory:`.
 */
export function parseDatabaseUrl(text: string): SqlTarget {
  const match = /^([a-z0-9]+)(\+[a-z0-9_]+)?:(.*)$/is.exec(text.trim())
  const kind = schemes[match?.[1]?.toLowerCase() ?? '']
  const rest = match?.[3] ?? ''
  if (!kind) throw badUrl('it must begin with sqlite:, mysql:// or postgres://')
  if (kind === 'sqlite') {
    const path = decodeURIComponent(rest.replace(/^\/\//, ''))
    if (path === '') throw badUrl('sqlite: needs a path, or :memory:')
    return { kind, path }
  }
  const url = `${kind}:${rest}`
  if (!URL.canParse(url) || new URL(url).hostname === '') throw badUrl('host or port is not valid')
  if (new URL(url).pathname.length < 2) throw badUrl('the name of the database is missing')
  return { kind, url }
}

function badUrl(reason: string): AppError {
  return new AppError('config_invalid', `the database URL is not valid: ${reason}`)
}
