import { createHash, randomBytes } from 'node:crypto'
import { type Challenge, fault } from './fault.ts'
import { type Discovered, discover, type ServerMetadata } from './oauth-discovery.ts'
import { encodeForm, type OAuthAsk } from './oauth-http.ts'
import { type DifyClient, type DifyTokens, register, requestTokens } from './oauth-tokens.ts'

export interface SignInOptions {
  url: string
  ask: OAuthAsk
  redirectUri: string
  /** One that was configured; else Dify registers itself. */
  client: DifyClient | undefined
  /** Plays the browser: gives the URL that it is sent back to. */
  authorize: ((authorizationUrl: string) => Promise<string>) | undefined
}

/** What Dify does after a 401. All throw `authentication`. */
export interface SignIn {
  /** With a person at the popup. A failure forgets the registration. */
  run(challenge: Challenge): Promise<DifyTokens>
  refresh(challenge: Challenge, refresh_token: string): Promise<DifyTokens>
}

export function createSignIn(options: SignInOptions): SignIn {
  const { ask, url, redirectUri, authorize } = options
  let registered = options.client

  async function run(challenge: Challenge): Promise<DifyTokens> {
    const { metadata, scope } = await find(challenge)
    assertCodeFlow(metadata)
    try {
      registered ??= await register(ask, metadata, redirectUri)
      return await exchange(metadata, registered, scope)
    } catch (error) {
      registered = options.client
      throw error
    }
  }

  async function exchange(metadata: ServerMetadata, client: DifyClient, scope: string | undefined) {
    if (!authorize) throw fault('authentication', 'Authentication failed: nobody can authorise')
    const code_verifier = randomBytes(40).toString('base64url')
    const state = randomBytes(32).toString('base64url')
    const asked = { client_id: client.client_id, code_verifier, state, scope }
    const code = toCode(await authorize(authorizationUrl(metadata, asked)), state)
    const grant_type = 'authorization_code'
    const grant = { grant_type, code, code_verifier, redirect_uri: redirectUri } as const
    return requestTokens(ask, metadata, { client, grant })
  }

  async function refresh(challenge: Challenge, refresh_token: string): Promise<DifyTokens> {
    const { metadata } = await find(challenge)
    if (!registered) throw fault('authentication', 'Authentication failed: no client')
    const grant = { grant_type: 'refresh_token', refresh_token } as const
    return requestTokens(ask, metadata, { client: registered, grant })
  }

  async function find(challenge: Challenge) {
    const { metadata, scope }: Discovered = await discover(ask, url, challenge)
    if (metadata) return { metadata, scope }
    throw fault('authentication', 'Failed to discover OAuth metadata from server')
  }

  function authorizationUrl({ authorization_endpoint }: ServerMetadata, asked: Asked): string {
    const { client_id, code_verifier, state, scope } = asked
    const query = encodeForm({
      response_type: 'code',
      client_id,
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      state,
      ...(scope && { scope }),
    })
    return `${authorization_endpoint}?${query}`
  }

  /** Both must be there; all else, `iss` too, is not looked at. */
  function toCode(callback: string, expected: string): string {
    const { searchParams } = new URL(callback, 'http://relative.invalid')
    const [code, state] = [searchParams.get('code'), searchParams.get('state')]
    if (!code || !state) throw fault('authentication', 'The callback has no code or no state')
    if (state !== expected) throw fault('authentication', 'The state has expired or does not exist')
    return code
  }

  return { run, refresh }
}

interface Asked {
  client_id: string
  code_verifier: string
  state: string
  scope: string | undefined
}

/** A server that does not list its grant types is taken for one without the code flow. */
function assertCodeFlow({ grant_types_supported = [], response_types_supported }: ServerMetadata) {
  if (!grant_types_supported.some((type) => type.toLowerCase() === 'authorization_code'))
    throw fault(
      'authentication',
      'Client credentials flow requires client_id and client_secret to be provided',
    )
  if (!response_types_supported.includes('code'))
    throw fault('authentication', 'Incompatible auth server: does not support response type code')
}
