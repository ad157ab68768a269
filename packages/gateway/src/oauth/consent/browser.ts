import { type PlainRequest, readCookie, toSetCookie } from '../../http/index.ts'
import type { Addresses } from '../addresses.ts'
import type { OAuthServerOptions } from '../options.ts'

const maxAgeSeconds = 3600

/** Which browser sits before the page: a transaction goes on in the one that began it. */
export interface Browsers {
  /** The browser's mark, if it has one. */
  of(request: PlainRequest): string | undefined
  /** Its mark, or a new one, and the `Set-Cookie` that keeps it. */
  mark(request: PlainRequest): { browser: string; cookie: string }
  /** Whether a page of ours sent this form, as far as the browser says. */
  isOwnPage(request: PlainRequest): boolean
}

export function createBrowsers(
  options: Pick<OAuthServerOptions, 'craft'> & { addresses: Addresses },
): Browsers {
  const { craft, addresses } = options
  const page = (): URL => new URL(addresses.authorizationEndpoint())
  const isSecure = (): boolean => page().protocol === 'https:'
  // With the prefix no neighbouring host can have set it.
  const cookieName = (): string => (isSecure() ? '__Host-mcp_consent' : 'mcp_consent')

  function of({ headers }: PlainRequest): string | undefined {
    const value = readCookie(headers, cookieName())
    return value !== undefined && /^[\w-]{16,100}$/.test(value) ? value : undefined
  }

  return {
    of,
    mark(request) {
      const value = of(request) ?? craft.createToken()
      const cookie = { name: cookieName(), value, maxAgeSeconds, secure: isSecure() }
      return { browser: value, cookie: toSetCookie(cookie) }
    },
    isOwnPage({ headers }) {
      const site = headers['sec-fetch-site']
      if (site !== undefined) return site === 'same-origin'
      // `null`: what browsers send from a page that tells nobody where it was.
      const { origin = 'null', host } = headers
      if (origin === 'null' || origin === page().origin) return true
      return URL.canParse(origin) && new URL(origin).host === host
    },
  }
}
