import { createHash } from 'node:crypto'
import { type ConsentFields, createConsent } from '@dataagent/testkit'

const redirect_uri = 'https://client.example/callback'
const code_verifier = 'v'.repeat(43)
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')

export interface Code {
  code: string
  client_id: string
}

/** What a token is asked for. Default: nothing is said. */
interface Wanted {
  resource?: string
  scope?: string
}

export type SignInOptions = ConsentFields & Wanted

/** Registers a client, and gives the address that it sends a person to. */
export async function register(url: string, { resource, scope }: Wanted = {}) {
  const registered = await fetch(`${url}/mcp/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri, code_challenge, response_type: 'code', state: 's' },
    code_challenge_method: 'S256',
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  })
  return { client_id, address: `${url}/mcp/oauth/authorize?${query}` }
}

/** Registers a client and gets it a code. */
export async function getCode(url: string, options: SignInOptions): Promise<Code> {
  const { client_id, address } = await register(url, options)
  const back = new URL(await createConsent(options)(address))
  return { client_id, code: String(back.searchParams.get('code')) }
}

export function redeem(url: string, { code, client_id }: Code): Promise<Response> {
  const grant = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier, code }
  return fetch(`${url}/mcp/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) })
}

export interface SignedIn extends Code {
  access_token: string
  refresh_token: string
}

/** A client that a person has allowed. */
export async function signIn(url: string, options: SignInOptions): Promise<SignedIn> {
  const code = await getCode(url, options)
  const answer = await redeem(url, code)
  return { ...code, ...((await answer.json()) as Omit<SignedIn, keyof Code>) }
}
