import { isIP } from 'node:net'

/** An IP address or a DNS name, without scheme and port. */
export function isHost(value: string): boolean {
  return isIP(value) !== 0 || /^[a-z0-9_]([a-z0-9._-]{0,252}[a-z0-9_])?$/i.test(value)
}

/** An address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) === 4) return name.startsWith('127.')
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost')
}

/** A web address without credentials, query and fragment. */
export function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && /^https?:$/.test(url.protocol)
}

/** `*`, or scheme, host and port with nothing after them. */
export function isOrigin(value: string): boolean {
  return value === '*' || (isWebUrl(value) && new URL(value).origin === value)
}

type StoreKind = 'sqlite' | 'mysql' | 'postgres' | 'memory'

/** A URL whose scheme names one of our databases, with or without a driver. */
export function isDatabaseUrl(value: string): boolean {
  return databaseKind(value) !== undefined
}

/** The kind of store that a database URL names. */
export function databaseKind(value: string): StoreKind | undefined {
  const scheme = /^([a-z0-9]+)(\+[a-z0-9_]+)?:/i.exec(value)?.[1]?.toLowerCase()
  if (scheme === 'sqlite' || scheme === 'file')
    return value.trim().endsWith(':memory:') ? 'memory' : 'sqlite'
  if (scheme === 'mysql' || scheme === 'mariadb') return 'mysql'
  return scheme === 'postgres' || scheme === 'postgresql' ? 'postgres' : undefined
}

export function isRedisUrl(value: string): boolean {
  return URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)
}
