import { isIP } from 'node:net'
import { addressDenied, denied, invalidRequest } from './egress-error.ts'
import { toDestination, toHost } from './policy.ts'
import type { PolicyPool } from './pools.ts'

/**
 * Parses what a caller gave as the address of a request. The text itself is never repeated in an
 * error.
 */
export function parseUrl(address: string | URL): URL {
  const url = URL.parse(String(address))
  if (url === null) throw invalidRequest('The address is not a valid URL.')
  return url
}

/**
 * Everything that can be refused about a URL before a connection is opened: scheme, userinfo, port,
 * an IP literal, and a name that only the proxy would resolve. What a name resolves to is checked
 * by the connector.
 */
export function checkUrl(url: URL, pool: PolicyPool, allowSetting: string): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw denied(url.host, 'Only http and https addresses can be requested.')
  }
  const { rules, proxied } = pool
  const destination = toDestination(url)
  const host = toHost(destination)
  if (url.username !== '' || url.password !== '') {
    throw denied(
      host,
      `The address of ${host} holds a user name or password. Send them in a header.`,
    )
  }
  if (!rules.allowsPort(destination)) {
    throw denied(host, `Port ${destination.port} of ${host} is not among the allowed ports.`)
  }
  if (rules.mode === 'any') return
  const literal = findLiteral(destination.hostname)
  if (literal !== undefined) {
    const found = rules.refusal(destination, literal)
    if (found !== undefined) throw addressDenied(host, found, allowSetting)
  } else if (proxied && !rules.allowsName(destination)) {
    throw denied(
      host,
      `${host} would be looked up by the proxy, where its address cannot be checked. Ask an administrator to allow the name (setting ${allowSetting}).`,
    )
  }
}

/**
 * The address that a host name is by itself. localhost means loopback whatever a resolver says (RFC
 * 6761, section 6.3).
 */
function findLiteral(hostname: string): string | undefined {
  if (isIP(hostname) !== 0) return hostname
  return hostname === 'localhost' || hostname.endsWith('.localhost') ? '127.0.0.1' : undefined
}
