import { fault } from './fault.ts'
import { isTextList } from './models.ts'
import { parseObject, type ServerMetadata } from './oauth-discovery.ts'
import { encodeForm, type OAuthAnswer, type OAuthAsk } from './oauth-http.ts'
import type { Header } from './wire.ts'

export interface DifyClient {
  client_id: string
  client_secret?: string | undefined
}

export interface DifyTokens {
  access_token: string
  token_type: string
  refresh_token?: string | undefined
}

const json: Header[] = [['Content-Type', 'application/json']]
const form: Header[] = [['Content-Type', 'application/x-www-form-urlencoded']]

/** Throws `authentication` for any refusal. */
export async function register(
  ask: OAuthAsk,
  { registration_endpoint: url }: ServerMetadata,
  redirectUri: string,
): Promise<DifyClient> {
  if (url === undefined) throw failed('the server does not support dynamic client registration')
  const body = JSON.stringify({
    client_name: 'Dify',
    redirect_uris: [redirectUri],
    grant_types: ['refresh_token', 'authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    client_uri: 'https://github.com/langgenius/dify',
    scope: null,
  })
  const answer = await ask({ method: 'POST', url, headers: json, body })
  const { client_id, client_secret, redirect_uris } = parseObject(answer.text) ?? {}
  if (!isSuccess(answer)) throw failed(`the registration was answered ${answer.status}`)
  if (typeof client_id !== 'string' || !isTextList(redirect_uris))
    throw failed('the registration gave no client_id or no redirect_uris')
  return { client_id, client_secret: typeof client_secret === 'string' ? client_secret : undefined }
}

export type Grant =
  | { grant_type: 'authorization_code'; code: string; code_verifier: string; redirect_uri: string }
  | { grant_type: 'refresh_token'; refresh_token: string }

/** What is not in the answer is not kept: one without a refresh token takes it away. */
export async function requestTokens(
  ask: OAuthAsk,
  { token_endpoint: url }: ServerMetadata,
  { client, grant }: { client: DifyClient; grant: Grant },
): Promise<DifyTokens> {
  const { client_id, client_secret } = client
  const { grant_type, ...rest } = grant
  const secret = client_secret ? { client_secret } : {}
  const body = encodeForm({ grant_type, client_id, ...rest, ...secret })
  const answer = await ask({ method: 'POST', url, headers: form, body })
  if (!isSuccess(answer)) throw failed(`the token request was answered ${answer.status}`)
  return toTokens(answer)
}

function toTokens({ type, text }: OAuthAnswer): DifyTokens {
  const isForm = type.toLowerCase().includes('application/x-www-form-urlencoded')
  const given = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseObject(text)
  const { access_token, token_type, refresh_token } = given ?? {}
  if (typeof access_token !== 'string' || typeof token_type !== 'string')
    throw failed('the token answer has no access_token or no token_type')
  const isThere = typeof refresh_token === 'string'
  return { access_token, token_type, refresh_token: isThere ? refresh_token : undefined }
}

function isSuccess({ status }: OAuthAnswer): boolean {
  return status >= 200 && status < 300
}

function failed(reason: string): Error {
  return fault('authentication', `Authentication failed: ${reason}`)
}
