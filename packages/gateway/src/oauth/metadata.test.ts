import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coversEndpoint } from './addresses.ts'
import { type OAuthWorld, publicUrl, startOAuthWorld } from './test-oauth-world.ts'

let world: OAuthWorld
beforeAll(async () => {
  world = await startOAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const scopes = ['mcp:read', 'mcp:call']

test('the authorization server tells all that a client needs, exactly [E2.3]', async () => {
  const answer = await world.send({ path: '/.well-known/oauth-authorization-server' })
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body)).toEqual({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/mcp/oauth/authorize`,
    token_endpoint: `${publicUrl}/mcp/oauth/token`,
    registration_endpoint: `${publicUrl}/mcp/oauth/register`,
    revocation_endpoint: `${publicUrl}/mcp/oauth/revoke`,
    introspection_endpoint: `${publicUrl}/mcp/oauth/introspect`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    revocation_endpoint_auth_methods_supported: [
      'none',
      'client_secret_post',
      'client_secret_basic',
    ],
    scopes_supported: scopes,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  })
})

test.each(['', '/mcp', '/mcp/v1/sse', '/api/v1/mcp/jsonrpc', '/mcp/g/clinic'])(
  'the resource at %j says exactly what it is and who gives tokens for it [E2.1]',
  async (path) => {
    const answer = await world.send({ path: `/.well-known/oauth-protected-resource${path}` })
    expect(JSON.parse(answer.body)).toEqual({
      resource: publicUrl + path,
      authorization_servers: [publicUrl],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
  },
)

test.each([
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/oauth-authorization-server/',
  '/.well-known/oauth-protected-resource/',
  '/.well-known/oauth-protected-resource/mcp/',
  '/.well-known/oauth-protected-resource/mcp/g/',
  '/.well-known/oauth-protected-resource/mcp/g/%2e%2e',
  '/.well-known/oauth-protected-resourcex',
])('%s is a 404 in JSON, which no client takes for a document [DIFY-11]', async (path) => {
  const answer = await world.send({ path })
  expect(answer.status).toBe(404)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(JSON.parse(answer.body)).toEqual({ error: 'not_found' })
})

test('a path that is not ours is left to others', async () => {
  for (const path of ['/mcp', '/.well-known/security.txt', '/mcp/oauth', '/mcp/oauth/authorize/']) {
    expect(await world.send({ path })).toBeUndefined()
  }
})

test.each([
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/oauth/register',
  '/mcp/oauth/token',
])('pages of any origin may ask %s, without credentials', async (path) => {
  const before = await world.send({ path, method: 'OPTIONS' })
  expect(before.status).toBe(204)
  expect(before.headers['access-control-allow-headers']).toContain('mcp-protocol-version')
  for (const answer of [before, await world.send({ path, method: 'POST' })]) {
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  }
})

test('the consent page and introspection are not for pages of other origins', async () => {
  for (const path of ['/mcp/oauth/authorize', '/mcp/oauth/introspect']) {
    const answer = await world.send({ path, method: 'OPTIONS' })
    expect(answer.status).toBe(405)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test('settings move the page and switch registration off [E7.1]', async () => {
  const auth_base_url = 'https://login.example/mcp/oauth/authorize'
  const settings = { auth_base_url, dynamic_registration: false, server_name: 'Clinic' }
  await using other = await startOAuthWorld({ settings })
  const server = await other.send({ path: '/.well-known/oauth-authorization-server' })
  expect(JSON.parse(server.body)).toMatchObject({ authorization_endpoint: auth_base_url })
  expect(JSON.parse(server.body)).not.toHaveProperty('registration_endpoint')
  expect(await other.send({ path: '/mcp/oauth/register', method: 'POST' })).toBeUndefined()
  const resource = await other.send({ path: '/.well-known/oauth-protected-resource/mcp' })
  expect(JSON.parse(resource.body)).toMatchObject({ resource_name: 'Clinic' })
})

describe.each([
  ['the endpoint itself', '/mcp', '/mcp', true],
  ['another endpoint', '/mcp', '/mcp/v1/sse', false],
  ['its own group, at a shared endpoint', '/mcp/g/clinic', '/mcp', true],
  ['its own group, at its endpoint', '/mcp/g/clinic', '/mcp/g/clinic', true],
  ['its own group, at that of another', '/mcp/g/clinic', '/mcp/g/sales', false],
  ['another group', '/mcp/g/sales', '/mcp', false],
  ['a shared endpoint, at that of its group', '/mcp', '/mcp/g/clinic', false],
  ['all of them', '', '/mcp/g/clinic', true],
  ['all of them, at that of another group', '', '/mcp/g/sales', false],
])('a token for %s', (_, resource, path, holds) => {
  test(holds ? 'is taken there' : 'is not taken there', () => {
    const token = { resource: publicUrl + resource, group_id: 'clinic' }
    expect(coversEndpoint(token, path, publicUrl)).toBe(holds)
  })
})
