/**
 * Schemes of programs on a person's machine, as they register them; any other needs a dot
 * (RFC 8252 §7.1), which those of browsers (`javascript`, `data`) do not have.
 */
const programSchemes: readonly string[] = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:']

const longest = 2000
const ownParameters = ['code', 'state', 'error', 'error_description', 'iss']

/** Why a program may not register this address; undefined where it may. */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.startsWith('/') || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) {
    return (
      'redirect_uris must be absolute URLs. ' +
      'For Dify, set CONSOLE_API_URL to the address of its console (https://dify.example.com).'
    )
  }
  if (uri.length > longest || !/^[\x21-\x7e]+$/.test(uri) || /[\\<>"'`{}|^]/.test(uri)) {
    return 'a redirect URI has characters that a URL cannot have, or is too long'
  }
  if (!URL.canParse(uri)) return 'a redirect URI is not a URL'
  return partsFault(new URL(uri), uri)
}

function partsFault(url: URL, uri: string): string | undefined {
  if (uri.includes('#')) return 'a redirect URI must not have a fragment'
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(uri)) {
    return 'a redirect URI must not name a user'
  }
  const taken = ownParameters.find((name) => url.searchParams.has(name))
  if (taken !== undefined) return `a redirect URI must not have the parameter ${taken}`
  return isSafeScheme(url, uri) ? undefined : schemeFault
}

const schemeFault =
  'a redirect URI must be https, http to 127.0.0.1, [::1] or localhost, or of a private-use ' +
  'scheme with a dot in it. An administrator can allow one other address by MCP_OAUTH_REDIRECT_URI.'

function isSafeScheme({ protocol, hostname }: URL, uri: string): boolean {
  if (protocol === 'https:') return hostname !== '' && /^https:\/\/[^/]/i.test(uri)
  if (protocol === 'http:') return loopback.test(uri)
  return programSchemes.includes(protocol) || /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
}

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/

/**
 * Whether `given` is the registered address: letter for letter, save that the port of one on the
 * person's own machine may be another each time (RFC 8252 §7.3).
 */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true
  const [, host, rest] = loopback.exec(given) ?? []
  if (host === undefined || !URL.canParse(given)) return false
  return registered.some((uri) => {
    const found = loopback.exec(uri)
    return found !== null && found[1] === host && found[2] === rest
  })
}

/** Where the answer goes: the address with what it is told. */
export function withParameters(
  uri: string,
  parameters: Record<string, string | undefined>,
): string {
  const told = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(told as [string, string][]).toString()
  return uri + (uri.includes('?') ? '&' : '?') + query
}
