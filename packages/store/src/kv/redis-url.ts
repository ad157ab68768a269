import { AppError } from '@dataagent/schema'

/** Where the server is and how to sign in. */
export interface RedisAddress {
  host: string
  port: number
  db: number
  username?: string
  password?: string
  tls?: { servername: string }
}

/**
 * The connection part of a `redis://` or `rediss://` address. `config_invalid` when it is none; it
 * never shows the address.
 */
export function parseRedisUrl(text: string): RedisAddress {
  const url = URL.parse(text)
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') throw invalidUrl()
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: Number(url.port || 6379),
    db: parseDatabase(url.pathname),
    ...(url.username && { username: decode(url.username) }),
    ...(url.password && { password: decode(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: { servername: host } }),
  }
}

/** Where the store is, for messages: no user, no password. */
export function describeRedis({ host, port, db }: RedisAddress): string {
  return `Redis at ${host.includes(':') ? `[${host}]` : host}:${port}/${db}`
}

function parseDatabase(pathname: string): number {
  const found = /^\/?(\d{0,5})$/.exec(pathname)
  if (found === null) throw invalidUrl()
  return Number(found[1])
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidUrl()
  }
}

function invalidUrl(): AppError {
  return new AppError(
    'config_invalid',
    'The Redis URL is not valid. Write redis://user:password@host:6379/0, or rediss:// for TLS.',
  )
}
