import { unfitError } from '../requests/oauth-error.ts'

/**
 * What a URL may be made of. Less than RFC 3986 allows: no quotes, parentheses and dollar signs,
 * which mean something to a shell that some host may yet hand the URL to.
 */
const harmless = /^https?:\/\/[\w.~:/?[\]@!&*+,;=%-]+$/i
const longest = 2_048

/** Judges the addresses that one server, or its authorization server, names. */
export interface UrlRules {
  /**
   * Whether it is https, or http on this machine, without credentials, fragment or characters that
   * do not belong there. Addresses on this machine are for servers on this machine: another one
   * could have us send what it likes to services that trust whoever can reach them.
   */
  allows(address: unknown): address is string
  /** Gives back an address that is allowed, unchanged. */
  check(address: unknown, what: string): string
}

export function createUrlRules(serverUrl: URL): UrlRules {
  const isNear = isLoopback(serverUrl.hostname)

  function allows(address: unknown): address is string {
    if (typeof address !== 'string' || address.length > longest) return false
    const url = harmless.test(address) ? URL.parse(address) : null
    if (url === null || url.username !== '' || url.password !== '') return false
    return isLoopback(url.hostname) ? isNear : url.protocol === 'https:'
  }

  return {
    allows,
    check(address, what) {
      if (allows(address)) return address
      throw unfitError(`the ${what} is no https address that may be used`, { what })
    },
  }
}

/** Whether nobody on the way can read along. */
export function isPrivateInTransit({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** RFC 8252, section 7.3, and RFC 6761, section 6.3. */
function isLoopback(hostname: string): boolean {
  if (/^(?:.+\.)?localhost\.?$/.test(hostname)) return true
  return hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
