import { McpError } from '../../errors.ts'

/**
 * What a URL may be made of. Less than RFC 3986 allows: no quotes, brackets and dollar signs, which
 * mean something to a shell that some host may yet hand the URL to.
 */
const harmless = /^https?:\/\/[\w.~:/?[\]@!&*+,;=%-]+$/i
const longest = 2_048

/**
 * Checks an address that a server or an authorization server names: https, or http on this machine,
 * without credentials, fragment or characters that do not belong there. Gives it back unchanged.
 */
export function checkServerUrl(address: unknown, what: string): string {
  if (isSafeUrl(address)) return address
  throw new McpError({
    kind: 'protocol',
    code: 'upstream_failed',
    message: `mcp: the ${what} is not an https address without credentials or odd characters`,
    data: { what },
  })
}

/** Whether `checkServerUrl` would let it pass. */
export function isSafeUrl(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > longest || !harmless.test(address)) {
    return false
  }
  const url = URL.parse(address)
  return url !== null && url.username === '' && url.password === '' && isPrivateInTransit(url)
}

/** Whether nobody on the way can read along. */
export function isPrivateInTransit({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** RFC 8252, section 7.3, and RFC 6761, section 6.3. */
function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
