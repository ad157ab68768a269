import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { McpError } from '../../errors.ts'
import { coversScope } from '../discovery/scopes.ts'
import type { AuthorizationResponse, PendingSignIn } from '../oauth-contract.ts'
import { signInFailed, toKnownCode, unfitError } from '../requests/oauth-error.ts'
import { loadSdk, toSdkMetadata } from '../requests/sdk.ts'
import type { Credentials } from '../storage/credentials.ts'
import type { ClientRecord, Discovery, SignInRecord } from '../storage/records.ts'

/** How long a person may take. */
const signInMs = 10 * 60_000
/** So much time must be left for a sign-in to be offered once more. */
const marginMs = 5 * 60_000
/** A server that asks for ever other things does not fill the store. */
const mostSignIns = 4

export interface BeginSignInOptions {
  discovery: Discovery
  client: ClientRecord
  redirectUrl: string
  scope: string | undefined
  credentials: Credentials
  clock: Clock
}

/**
 * The sign-in to send a person to. One that waits already, and asks for no less, is offered again:
 * many callers that are refused at once make one sign-in.
 */
export async function beginSignIn(options: BeginSignInOptions): Promise<SignInRecord> {
  const { credentials, clock } = options
  const waiting = (await credentials.signIns()).filter((signIn) => isWaiting(signIn, clock))
  const found = waiting.find((signIn) => serves(signIn, options))
  if (found) return found
  const made = await createSignIn(options)
  await credentials.saveSignIns([made, ...waiting].slice(0, mostSignIns))
  return made
}

/** Whether an answer would still be accepted. */
export function isWaiting({ created_at }: SignInRecord, clock: Clock): boolean {
  return clock.now() - created_at < signInMs
}

function serves(signIn: SignInRecord, options: BeginSignInOptions): boolean {
  const { discovery, client, redirectUrl, scope, clock } = options
  return (
    signIn.discovery.authorization_server.issuer === discovery.authorization_server.issuer &&
    signIn.client_id === client.client_id &&
    signIn.redirect_uri === redirectUrl &&
    coversScope(signIn.scope, scope) &&
    clock.now() - signIn.created_at < signInMs - marginMs
  )
}

async function createSignIn(options: BeginSignInOptions): Promise<SignInRecord> {
  const { discovery, client, redirectUrl, scope, clock } = options
  checkFitness(discovery)
  const { startAuthorization } = await loadSdk()
  const state = randomBytes(32).toString('base64url')
  const server = discovery.authorization_server
  const { authorizationUrl, codeVerifier } = await startAuthorization(server.issuer, {
    metadata: toSdkMetadata(server),
    clientInformation: { client_id: client.client_id },
    redirectUrl,
    state,
    resource: discovery.resource,
    ...(scope !== undefined && { scope }),
  })
  return {
    state,
    code_verifier: codeVerifier,
    authorization_url: authorizationUrl.href,
    redirect_uri: redirectUrl,
    client_id: client.client_id,
    ...(scope !== undefined && { scope }),
    discovery,
    created_at: clock.now(),
  }
}

/** What a person is sent to must protect the answer: by PKCE with S256, or not at all. */
function checkFitness({ authorization_server: server }: Discovery): void {
  const { host } = new URL(server.issuer)
  const refuse = (what: string) => unfitError(`the authorization server ${host} ${what}`, { host })
  if (server.authorization_endpoint === undefined) throw refuse('has no page to sign in at')
  if (server.response_types_supported?.includes('code') === false) {
    throw refuse('gives no authorization codes')
  }
  if (!server.code_challenge_methods_supported?.includes('S256')) {
    throw refuse('does not say that it supports PKCE with S256')
  }
}

export function toPendingSignIn(signIn: SignInRecord): PendingSignIn {
  return {
    authorizationUrl: signIn.authorization_url,
    state: signIn.state,
    issuer: signIn.discovery.authorization_server.issuer,
    expires_at: signIn.created_at + signInMs,
  }
}

/** A person must act. */
export function signInNeeded(signIn: SignInRecord, serverUrl: URL): McpError {
  const { authorizationUrl, state, issuer, expires_at } = toPendingSignIn(signIn)
  return new McpError({
    kind: 'sign_in',
    code: 'unauthenticated',
    message: `mcp: ${serverUrl.host} wants a sign-in at ${new URL(issuer).host}`,
    data: { authorizationUrl, state, issuer, expires_at },
  })
}

/**
 * Checks the answer to a sign-in and gives its code. The issuer comes first (RFC 9207, section
 * 2.4): of an answer from elsewhere nothing is used, not even its error.
 */
export function checkResponse(
  signIn: SignInRecord,
  response: AuthorizationResponse,
  clock: Clock,
): string {
  const { issuer, authorization_response_iss_parameter_supported: namesIssuer } =
    signIn.discovery.authorization_server
  const isOfIssuer = response.iss === undefined ? !namesIssuer : response.iss === issuer
  if (!isOfIssuer) {
    throw signInFailed('issuer', 'the answer does not come from the issuer that was asked')
  }
  if (!isWaiting(signIn, clock)) {
    throw signInFailed('expired', 'the sign-in took too long: begin it again')
  }
  if (response.error !== undefined || !response.code) {
    const code = toKnownCode(response.error)
    throw signInFailed('refused', `the sign-in was refused${code ? `: ${code}` : ''}`, code)
  }
  return response.code
}
