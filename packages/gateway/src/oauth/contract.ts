import type { Principal } from '@dataagent/hub'
import type { PlainRequest, PlainResponse } from '../http/index.ts'
import type { Giver, KnownGiver } from '../ports.ts'

/**
 * How the gateway learns who sits before the consent page. Where someone is known by a key of
 * theirs, `api_key` of the principal is its id: what they allow ends with it.
 */
export interface People {
  /** By the browser's own sign-in cookie; undefined where nobody is signed in. */
  bySignIn(headers: PlainRequest['headers']): Promise<Principal | undefined>
  /** By a key of a user (not of a group). Undefined where it is wrong; rejects with
   * `rate_limited` after too many tries. */
  byKey(key: string, ip: string): Promise<Principal | undefined>
  /**
   * Who that is now; undefined where the person is gone or switched off, or the key has ended.
   * Asked whenever a client renews what they allowed: not from a memory that may be behind. What is
   * given then lives no longer than the key.
   */
  stillMay(who: Giver): Promise<KnownGiver | undefined>
  /** Where a person signs in and comes back to `path` of ours afterwards. */
  signInPath(path: string): string
}

/**
 * The authorization server: metadata, registration, consent page, tokens. Gives undefined for a
 * path that is not its own. Never throws for what a client sent.
 */
export interface OAuthServer {
  handle(request: PlainRequest): Promise<PlainResponse | undefined>
  /**
   * For a client of the JSON-RPC profile, which has no PKCE of its own: where a person is sent, and
   * the verifier that only the one who asked is told. Keeps nothing. The code then goes to the
   * callback that is set, or where none is, is shown to the person to copy.
   */
  beginForSeed(ask: {
    client: string
    code_challenge?: string | undefined
  }): Promise<{ authorization_url: string; code_verifier?: string }>
}
