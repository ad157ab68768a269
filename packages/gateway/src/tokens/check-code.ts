import { createHash, timingSafeEqual } from 'node:crypto'
import type { CodeContent, RedeemError, Redeemed } from './contract.ts'

export interface Shown {
  client_id: string
  redirect_uri: string
  code_verifier: string
  resource?: string
}

type Refused = Extract<Redeemed, { status: 'refused' }>
type Bound = Pick<CodeContent, 'client_id' | 'redirect_uri' | 'code_challenge' | 'resource'>

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/** Why the code is not this client's to redeem; undefined where it is. */
export function findMismatch(code: Bound, shown: Shown): Refused | undefined {
  if (shown.client_id !== code.client_id) return refuse('the code was given to another client')
  if (shown.redirect_uri !== code.redirect_uri) {
    return refuse('redirect_uri is not the one that the code was sent to')
  }
  if (!isChallenge(shown.code_verifier, code.code_challenge)) {
    return refuse('code_verifier does not fit the code_challenge (S256)')
  }
  if (shown.resource !== undefined && shown.resource !== code.resource) {
    return refuse('the code is for another resource', 'invalid_target')
  }
  return undefined
}

export const noLonger = 'whoever allowed it may do so no longer'

export function refuse(why: string, error: RedeemError = 'invalid_grant'): Refused {
  return { status: 'refused', error, why }
}

function isChallenge(verifier: string, challenge: string): boolean {
  if (!verifierPattern.test(verifier)) return false
  const made = createHash('sha256').update(verifier).digest()
  const asked = Buffer.from(challenge, 'base64url')
  return asked.length === made.length && timingSafeEqual(asked, made)
}
