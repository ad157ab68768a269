import { generateKeyPairSync } from 'node:crypto'
import { startAuthorizationServer } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { McpError } from '../errors.ts'
import {
  createClientCredentialsAuthorizer,
  createJwtBearerAuthorizer,
  type JwtBearerOptions,
} from './grant-authorizer.ts'
import { requestIdJag } from './id-jag.ts'
import type { OAuthClient } from './oauth-contract.ts'
import { ask, failureOf, type OAuthWorld, startOAuthWorld } from './test-oauth.ts'

const client = { client_id: 'service', client_secret: 'sésame: 100% "open" &+/' }
const authorization = { clients: [client] }

function createAuthorizer(world: OAuthWorld, own: OAuthClient = client) {
  const { resource, egress, clock } = world
  return createClientCredentialsAuthorizer({ serverUrl: resource.url, egress, clock, client: own })
}

describe('a service that acts for itself', () => {
  test.for([
    ['client_secret_basic', /^Basic /],
    ['client_secret_post', /client_secret=/],
  ] as const)('shows its secret by %s, whatever is in it', async ([method, sign]) => {
    await using world = await startOAuthWorld({ authorization })
    world.authorization.metadata = { token_endpoint_auth_methods_supported: [method] }
    expect(await ask(world, createAuthorizer(world))).toBe(200)
    const request = world.authorization.requests.find(({ path }) => path === '/token')
    const shown = method === 'client_secret_basic' ? request?.headers.authorization : request?.body
    expect(shown).toMatch(sign)
    expect(new URLSearchParams(request?.body).get('resource')).toBe(world.resource.url)
  })

  test('signs with its private key, for the issuer', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const public_key = publicKey.export({ format: 'jwk' })
    const clients = [{ client_id: 'signer', public_key }]
    await using world = await startOAuthWorld({ authorization: { clients } })
    const private_key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const own = { client_id: 'signer', private_key }
    expect(await ask(world, createAuthorizer(world, own))).toBe(200)
    expect(world.authorization.requests.at(-1)?.headers.authorization).toBeUndefined()
  })

  test('asks once for many requests, and again before the token expires', async () => {
    await using world = await startOAuthWorld({ authorization })
    const authorizer = createAuthorizer(world)
    await Promise.all(Array.from({ length: 100 }, () => ask(world, authorizer)))
    expect(world.authorization.grants('client_credentials')).toBe(1)
    world.clock.advance(3_600_000)
    expect(await ask(world, authorizer)).toBe(200)
    expect(world.authorization.grants('client_credentials')).toBe(2)
  })

  test('asks again when the token is refused, but not when it was new', async () => {
    await using world = await startOAuthWorld({ authorization })
    const authorizer = createAuthorizer(world)
    await ask(world, authorizer)
    world.authorization.revokeAll('access')
    expect(await failureOf(ask(world, authorizer))).toMatchObject({ kind: 'http', statusCode: 401 })
    world.clock.advance(10_000)
    expect(await ask(world, authorizer)).toBe(200)
    expect(world.authorization.grants('client_credentials')).toBe(2)
  })

  test('asks for more where more is needed, and not for ever', async () => {
    const needs: Record<string, string> = { 'tools/list': 'read', 'tools/call': 'write' }
    const grantScope = (asked: string) => asked.replace('admin', '').trim()
    await using world = await startOAuthWorld({
      authorization: { ...authorization, grantScope },
      resource: { scopeFor: ({ method = '' }) => needs[method] ?? 'admin' },
    })
    const authorizer = createAuthorizer(world)
    expect(await ask(world, authorizer, 'tools/list')).toBe(200)
    expect(await ask(world, authorizer, 'tools/call')).toBe(200)
    expect(await ask(world, authorizer, 'tools/list')).toBe(200)
    expect(await ask(world, authorizer, 'other')).toBe(403)
    expect(await ask(world, authorizer, 'other')).toBe(403)
    expect(await failureOf(ask(world, authorizer, 'other'))).toMatchObject({ statusCode: 403 })
  })

  test('that is not known is told so, and need not try again', async () => {
    await using world = await startOAuthWorld({ authorization })
    const authorizer = createAuthorizer(world, { client_id: 'service', client_secret: 'wrong' })
    const error = await failureOf(ask(world, authorizer))
    expect(error).toMatchObject({ kind: 'config', retryable: false })
    expect(error.message).toMatch(/gives this client no token: invalid_client$/)
  })

  test('is not shown to another issuer than its own', async () => {
    await using world = await startOAuthWorld({ authorization })
    const own = { ...client, issuer: 'https://auth.example' }
    const error = await failureOf(ask(world, createAuthorizer(world, own)))
    expect(error.kind).toBe('config')
    expect(world.authorization.grants('client_credentials')).toBe(0)
  })
})

describe('a service with an assertion', () => {
  function createBearer(world: OAuthWorld, assertion: JwtBearerOptions['assertion']) {
    const { resource, egress, clock } = world
    return createJwtBearerAuthorizer({
      serverUrl: resource.url,
      egress,
      clock,
      client,
      assertion,
    })
  }
  const accepting = { ...authorization, acceptsAssertion: (text: string) => text === 'good' }

  test('is told what the assertion is for', async () => {
    await using world = await startOAuthWorld({ authorization: accepting })
    const asked: object[] = []
    const authorizer = createBearer(world, async (request) => {
      asked.push(request)
      return 'good'
    })
    expect(await ask(world, authorizer)).toBe(200)
    const { issuer } = world.authorization
    expect(asked).toMatchObject([{ issuer, resource: world.resource.url }])
  })

  test('that is not accepted is refused', async () => {
    await using world = await startOAuthWorld({ authorization: accepting })
    const error = await failureOf(
      ask(
        world,
        createBearer(world, async () => 'bad'),
      ),
    )
    expect(error.message).toMatch(/no token: invalid_grant$/)
    expect(world.authorization.requests.at(-1)?.path).toBe('/token')
  })

  test('that cannot be had fails for now, without the words of whoever makes it', async () => {
    await using world = await startOAuthWorld({ authorization: accepting })
    const lost = createBearer(world, async () => {
      throw new Error('the key is s3cret')
    })
    const error = await failureOf(ask(world, lost))
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true })
    expect(error.cause).toBeUndefined()
    const own = new McpError({ kind: 'sign_in', code: 'unauthenticated', message: 'first there' })
    const ended = createBearer(world, () => Promise.reject(own))
    expect(await failureOf(ask(world, ended))).toBe(own)
  })

  test('has it from the identity provider of the person', async () => {
    await using provider = await startAuthorizationServer()
    const issued_token_type = 'urn:ietf:params:oauth:token-type:id-jag'
    provider.intercept = () => ({ body: { access_token: 'good', issued_token_type } })
    await using world = await startOAuthWorld({ authorization: accepting })
    const { egress } = world
    const tokenEndpoint = `${provider.issuer}/token`
    const person = { egress, tokenEndpoint, client_id: 'us', idToken: 'who-i-am' }
    const authorizer = createBearer(world, (request) => requestIdJag({ ...request, ...person }))
    expect(await ask(world, authorizer)).toBe(200)
    const form = new URLSearchParams(provider.requests[0]?.body)
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: issued_token_type,
      audience: world.authorization.issuer,
      resource: world.resource.url,
      subject_token: 'who-i-am',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: 'us',
    })
  })
})
