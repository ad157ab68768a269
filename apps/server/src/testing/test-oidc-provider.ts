import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the provider says of the person, and how it errs. */
export interface ProviderMood {
  /** Of the ID token, over the right ones. */
  claims: Record<string, unknown>
  userinfo?: Record<string, unknown>
  /** Signs with a key that it does not publish. */
  signsWrongly?: boolean
}

export interface TestProvider extends AsyncDisposable {
  issuer: string
  mood: ProviderMood
  /** What was asked of it, by path. */
  asked: string[]
  /** The person agrees: where the browser is sent back to. */
  agree(authorizationUrl: string): URL
}

interface Grant {
  nonce: string
  challenge: string
  client_id: string
  redirect_uri: string
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const strangers = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An OpenID Connect provider that checks what a good one does: PKCE, codes once, redirects. */
export async function startTestProvider(): Promise<TestProvider> {
  const grants = new Map<string, Grant>()
  const asked: string[] = []
  const mood: ProviderMood = { claims: {} }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    asked.push(path)
    void answer(path, request).then((body) => {
      response.writeHead(body ? 200 : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? { error: 'invalid_grant' }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(path: string, request: IncomingMessage): Promise<object | undefined> {
    if (path === '/.well-known/openid-configuration') return metadata(issuer)
    if (path === '/jwks') return { keys: [jwk()] }
    if (path === '/userinfo') return mood.userinfo
    return path === '/token' ? exchange(new URLSearchParams(await text(request))) : undefined
  }

  function exchange(form: URLSearchParams): object | undefined {
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = digest(form.get('code_verifier') ?? '')
    if (grant?.challenge !== challenge || grant.redirect_uri !== form.get('redirect_uri')) return
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: issuer, aud: grant.client_id, sub: 'person-1', nonce: grant.nonce }
    const claims = { ...right, iat: now, exp: now + 60, ...mood.claims }
    const id_token = toJwt(claims, mood.signsWrongly ? strangers.privateKey : keys.privateKey)
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token }
  }

  return {
    ...{ issuer, mood, asked },
    agree(authorizationUrl) {
      const query = new URL(authorizationUrl).searchParams
      const code = randomUUID()
      const [nonce = '', challenge = '', client_id = '', redirect_uri = '', state = ''] = [
        ...['nonce', 'code_challenge', 'client_id', 'redirect_uri', 'state'],
      ].map((name) => query.get(name) ?? '')
      grants.set(code, { nonce, challenge, client_id, redirect_uri })
      const back = new URL(redirect_uri)
      back.search = new URLSearchParams({ code, state, iss: issuer }).toString()
      return back
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
  }
}

function jwk(): object {
  return { ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
}

function toJwt(claims: object, key: typeof keys.privateKey): string {
  const head = { alg: 'RS256', typ: 'JWT', kid: 'k1' }
  const body = [head, claims].map((part) => encode(JSON.stringify(part))).join('.')
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`
}

function encode(part: string): string {
  return Buffer.from(part).toString('base64url')
}

function digest(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
