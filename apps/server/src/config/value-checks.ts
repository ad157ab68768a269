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

/** A web address that nobody between can read or change: https, or of this machine. */
export function isIssuer(value: string): boolean {
  if (!isWebUrl(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || isLoopback(hostname)
}

/** `*`, or scheme, host and port with nothing after them. */
export function isOrigin(value: string): boolean {
  return value === '*' || (isWebUrl(value) && new URL(value).origin === value)
}

type DatabaseKind = 'sqlite' | 'mysql' | 'postgres' | 'memory'

/** A URL whose scheme names one of our databases, with or without a driver. */
export function isDatabaseUrl(value: string): boolean {
  return databaseKind(value) !== undefined
}

/** The kind of database that a database URL names. */
export function databaseKind(value: string): DatabaseKind | undefined {
  const scheme = /^([a-z0-9]+)(\+[a-z0-9_]+)?:/i.exec(value)?.[1]?.toLowerCase()
  if (scheme === 'sqlite' || scheme === 'file')
    return value.trim().endsWith(':memory:') ? 'memory' : 'sqlite'
  if (scheme === 'mysql' || scheme === 'mariadb') return 'mysql'
  return scheme === 'postgres' || scheme === 'postgresql' ? 'postgres' : undefined
}

export function isRedisUrl(value: string): boolean {
  return URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol)
}

/** An address, a range of addresses, or a name for one: whom Fastify may trust as a proxy. */
export function isProxyAddress(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true
  const [address = '', bits, ...rest] = value.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (bits === undefined) return longest > 0
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest
}

/** An address, a range or a host name, the first and last with a port if need be. */
export function isAllowEntry(value: string): boolean {
  return /^[A-Za-z0-9.:/[\]_-]+$/.test(value)
}
