import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type AuthorizationServerStandIn,
  startAuthorizationServer,
} from './authorization-server.ts'
import { startProtectedResource } from './protected-resource.ts'

const redirect_uri = 'http://127.0.0.1:7777/callback'
const resource = 'http://127.0.0.1:1/mcp'

async function register({ issuer }: AuthorizationServerStandIn) {
  const body = JSON.stringify({ redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' })
  const answer = await fetch(`${issuer}/register`, { method: 'POST', body })
  return ((await answer.json()) as { client_id: string }).client_id
}

async function begin(server: AuthorizationServerStandIn) {
  const client_id = await register(server)
  const code_verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const url = new URL(`${server.issuer}/authorize`)
  const code_challenge_method = 'S256'
  const query = { client_id, redirect_uri, code_challenge, code_challenge_method, resource }
  url.search = String(new URLSearchParams({ ...query, state: 's', scope: 'a b' }))
  return { url: url.href, client_id, code_verifier }
}

interface TokenAnswer {
  status: number
  error?: string
  access_token?: string
  refresh_token?: string
}

async function askToken(
  { issuer }: AuthorizationServerStandIn,
  form: Record<string, string>,
): Promise<TokenAnswer> {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body })
  return { status: answer.status, ...Object(await answer.json()) }
}

describe('the authorization server', () => {
  test('gives a code for a person who agrees, and tokens for the code, once', async () => {
    await using server = await startAuthorizationServer()
    const { url, client_id, code_verifier } = await begin(server)
    const { code = '', state, iss } = await server.visit(url)
    expect({ state, iss }).toEqual({ state: 's', iss: server.issuer })
    const grant = { grant_type: 'authorization_code', code, redirect_uri, resource }
    const form = { ...grant, client_id, code_verifier }
    const { access_token = '', refresh_token = '' } = await askToken(server, form)
    expect(server.verify(access_token)).toMatchObject({ client_id, scope: 'a b', resource })
    expect(await askToken(server, form)).toMatchObject({ status: 400, error: 'invalid_grant' })
    const refresh = { grant_type: 'refresh_token', refresh_token, client_id }
    expect((await askToken(server, refresh)).status).toBe(200)
    expect(await askToken(server, refresh)).toMatchObject({ error: 'invalid_grant' })
    expect(server.grants('refresh_token')).toBe(2)
  })

  test.for([
    ['another verifier', { code_verifier: 'x' }, 'invalid_grant'],
    ['another address', { redirect_uri: 'http://127.0.0.1/' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_grant'],
    ['another client', { client_id: 'x' }, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ] as const)('gives nothing for %s', async ([, change, error]) => {
    await using server = await startAuthorizationServer()
    const { url, client_id, code_verifier } = await begin(server)
    const { code = '' } = await server.visit(url)
    const grant = { grant_type: 'authorization_code', code, redirect_uri, resource }
    const form = { ...grant, client_id, code_verifier, ...change }
    expect(await askToken(server, form)).toMatchObject({ error })
  })

  test('brings back a refusal of a person who does not agree', async () => {
    await using server = await startAuthorizationServer()
    const { url } = await begin(server)
    const answer = await server.visit(url, { agrees: false })
    expect(answer).toEqual({ error: 'access_denied', state: 's', iss: server.issuer })
  })

  test('shows no page without PKCE', async () => {
    await using server = await startAuthorizationServer()
    const { url } = await begin(server)
    const bare = url.replace('code_challenge=', 'x=')
    await expect(server.visit(bare)).rejects.toThrow('The sign-in page answered 400')
  })

  test('may be interrupted', async () => {
    await using server = await startAuthorizationServer()
    server.intercept = () => ({ status: 418, body: 'tea' })
    expect((await fetch(server.issuer)).status).toBe(418)
    server.intercept = () => 'cut'
    await expect(fetch(server.issuer)).rejects.toThrow()
    expect(server.requests).toHaveLength(2)
  })
})

describe('the protected resource', () => {
  test('lets through who brings a token for it with the scope it wants', async () => {
    const token = { client_id: 'c', scope: 'a', resource: '', expires_in: 0 }
    await using server = await startProtectedResource({
      issuers: () => ['https://auth.example'],
      verify: (text) => (text === 'good' ? token : undefined),
      scopeFor: ({ method }) => method,
    })
    const ask = async (authorization: string, method: string) => {
      const body = JSON.stringify({ id: 1, method })
      const answer = await fetch(server.url, { method: 'POST', headers: { authorization }, body })
      return [answer.status, answer.headers.get('www-authenticate')]
    }
    const place = `resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"`
    expect(await ask('Bearer bad', 'a')).toEqual([401, `Bearer ${place}, scope="a"`])
    expect((await ask('Bearer good', 'a'))[0]).toBe(401)
    token.resource = server.url
    expect((await ask('Bearer good', 'a'))[0]).toBe(200)
    const [status, header] = await ask('Bearer good', 'b')
    expect(status).toBe(403)
    expect(header).toBe(`Bearer ${place}, scope="b", error="insufficient_scope"`)
    expect(server.accepted()).toBe(1)
  })
})
