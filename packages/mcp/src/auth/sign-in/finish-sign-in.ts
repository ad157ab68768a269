import { isMcpError } from '../../errors.ts'
import { type ClientIdentity, findKnownClient } from '../clients/client-identity.ts'
import type { AuthorizationResponse } from '../oauth-contract.ts'
import type { OAuthSetup } from '../oauth-setup.ts'
import { refusalCode, signInFailed, toOAuthError } from '../requests/oauth-error.ts'
import type { SignInRecord, TokenRecord } from '../storage/records.ts'
import { requestTokens } from '../tokens/token-request.ts'
import { checkResponse } from './sign-in.ts'

/**
 * Hands the code of an answer in at the authorization server that the sign-in began with, and keeps
 * the tokens. A sign-in is used up by success and by refusal; one that failed on the way is not.
 */
export async function finishSignIn(
  setup: OAuthSetup,
  identity: ClientIdentity,
  response: AuthorizationResponse,
  signal: AbortSignal,
): Promise<void> {
  const { credentials, clock, limit } = setup
  const waiting = await credentials.signIns()
  const signIn = waiting.find(({ state }) => state === response.state)
  if (!signIn) throw signInFailed('state', 'the answer belongs to no sign-in under way')
  const useUp = () => credentials.saveSignIns(waiting.filter((other) => other !== signIn))
  try {
    const code = checkResponse(signIn, response, clock)
    const exchange = { signIn, code, signal }
    await credentials.saveTokens(await exchangeCode(setup, identity, exchange))
  } catch (error) {
    if (isMcpError(error, 'sign_in')) await useUp()
    throw error
  }
  limit.count(signIn.scope)
  await useUp()
}

async function exchangeCode(
  setup: OAuthSetup,
  identity: ClientIdentity,
  { signIn, code, signal }: { signIn: SignInRecord; code: string; signal: AbortSignal },
): Promise<TokenRecord> {
  const { discovery, scope } = signIn
  const client = await findKnownClient(setup, identity, signIn)
  if (!client) throw signInFailed('state', 'the client that began the sign-in is no longer known')
  const params = {
    grant_type: 'authorization_code',
    code,
    code_verifier: signIn.code_verifier,
    redirect_uri: signIn.redirect_uri,
  }
  const requests = setup.openRequests(signal)
  const base = { discovery, client, own: identity.client, requests, clock: setup.clock }
  return requestTokens({ params, scope, by: 'sign_in', ...base }).catch((error) => {
    const refusal = refusalCode(error)
    if (refusal === undefined || refusal === 'server_error') {
      throw toOAuthError(error, new URL(client.issuer).host)
    }
    throw signInFailed('code', `the code of the sign-in was not accepted: ${refusal}`, refusal)
  })
}
