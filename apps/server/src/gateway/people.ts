import type { People } from '@dataagent/gateway'
import { isAppError } from '@dataagent/schema'
import type { Identity } from '../identity/index.ts'
import { toCookies } from './visitor.ts'

/** Who sits before the consent page, as this server knows people. */
export function createPeople(
  identity: Pick<Identity, 'authenticateBrowser' | 'authenticateKey' | 'stillMay'>,
  /** Where browsers reach the page: its scheme says by which name its cookies come. */
  pageUrl: () => string,
): People {
  return {
    async bySignIn({ cookie }) {
      const { host, protocol } = new URL(pageUrl())
      const carrier = { host, protocol: protocol === 'https:' ? 'https' : 'http' } as const
      const cookies = toCookies(cookie)
      return (await identity.authenticateBrowser({ ...carrier, cookies }))?.principal
    },
    async byKey(key, ip) {
      try {
        return (await identity.authenticateKey(key, ip)).principal
      } catch (error) {
        if (isAppError(error, 'unauthenticated')) return undefined
        throw error
      }
    },
    stillMay: identity.stillMay,
    // Our own page leads back: the cookie of a sign-in does not come along from a foreign one.
    signInPath: (path) => `/?next=${encodeURIComponent(path)}`,
  }
}
