import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { ask, failureOf, signIn, signInOf, startOAuthWorld } from '../test-oauth.ts'
import { coversScope, createStepUpLimit, joinScopes, toScopeTokens } from './scopes.ts'

const scopeOf = (authorizationUrl: string) => new URL(authorizationUrl).searchParams.get('scope')

describe('a sign-in asks for', () => {
  test('what the challenge names, not for all there is', async () => {
    const metadata = { scopes_supported: ['a', 'b', 'c'] }
    await using world = await startOAuthWorld({ resource: { scopeFor: () => 'a', metadata } })
    const { authorizationUrl } = await signInOf(ask(world, world.createAuthorizer()))
    expect(scopeOf(authorizationUrl)).toBe('a')
  })

  test('all that the resource names when the challenge names nothing', async () => {
    const metadata = { scopes_supported: ['a', 'b'] }
    await using world = await startOAuthWorld({ resource: { metadata } })
    const { authorizationUrl } = await signInOf(ask(world, world.createAuthorizer()))
    expect(scopeOf(authorizationUrl)).toBe('a b')
  })

  test('nothing in particular when nobody names anything', async () => {
    await using world = await startOAuthWorld()
    const { authorizationUrl } = await signInOf(ask(world, world.createAuthorizer()))
    expect(scopeOf(authorizationUrl)).toBeNull()
  })

  test('what is configured besides what the challenge names', async () => {
    const metadata = { scopes_supported: ['a', 'b', 'c'] }
    await using world = await startOAuthWorld({ resource: { scopeFor: () => 'a', metadata } })
    const authorizer = world.createAuthorizer({ scopes: ['mine'] })
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    expect(scopeOf(authorizationUrl)).toBe('mine a')
  })

  const offline = { authorization: { metadata: { scopes_supported: ['a', 'offline_access'] } } }

  test('a refresh token where there is a scope for that', async () => {
    await using world = await startOAuthWorld({ ...offline, resource: { scopeFor: () => 'a' } })
    const { authorizationUrl } = await signInOf(ask(world, world.createAuthorizer()))
    expect(scopeOf(authorizationUrl)).toBe('a offline_access')
    expect(new URL(authorizationUrl).searchParams.get('prompt')).toBe('consent')
  })

  test('no refresh token when the client wants none', async () => {
    await using world = await startOAuthWorld({ ...offline, resource: { scopeFor: () => 'a' } })
    const clientMetadata = { grant_types: ['authorization_code'] }
    const authorizer = world.createAuthorizer({ clientMetadata })
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    expect(scopeOf(authorizationUrl)).toBe('a')
  })
})

describe('a request that needs more', () => {
  const scopes: Record<string, string> = { 'tools/list': 'read', 'tools/call': 'write' }
  const resource = { scopeFor: ({ method = '' }) => scopes[method] }

  test('asks for a sign-in that keeps what was granted', async () => {
    await using world = await startOAuthWorld({ resource })
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    const { authorizationUrl } = await signInOf(ask(world, authorizer, 'tools/call'))
    expect(scopeOf(authorizationUrl)).toBe('read write')
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await ask(world, authorizer, 'tools/call')).toBe(200)
    expect(await ask(world, authorizer, 'tools/list')).toBe(200)
  })

  test('does not ask for ever when the sign-in does not bring it', async () => {
    const grantScope = (asked: string) => asked.replace(/ ?write/, '')
    await using world = await startOAuthWorld({ resource, authorization: { grantScope } })
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    for (let i = 0; i < 2; i++) {
      const { authorizationUrl } = await signInOf(ask(world, authorizer, 'tools/call'))
      await authorizer.finish(await world.authorization.visit(authorizationUrl))
    }
    const error = await failureOf(ask(world, authorizer, 'tools/call'))
    expect(error).toMatchObject({ kind: 'http', statusCode: 403, code: 'forbidden' })
    expect(await ask(world, authorizer, 'tools/list')).toBe(200)
    world.clock.advance(10 * 60_000)
    await signInOf(ask(world, authorizer, 'tools/call'))
  })

  test('is not sent to a sign-in when the server just forbids it', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    const challenge = { status: 403, wwwAuthenticate: 'Bearer error="access_denied"' } as const
    const error = await failureOf(authorizer.challenged(challenge, { sent: {} }))
    expect(error).toMatchObject({ kind: 'http', statusCode: 403 })
    expect(world.resource.requests).toEqual([])
  })
})

test('a limit counts what covers the wish, and all there was', () => {
  const clock = createFakeClock()
  const limit = createStepUpLimit(clock)
  limit.count('a b')
  limit.count('a c')
  expect(limit.isReached('a')).toBe(true)
  expect(limit.isReached('a b')).toBe(false)
  for (let i = 0; i < 8; i++) limit.count(`s${i}`)
  expect(limit.isReached('anything')).toBe(true)
  clock.advance(10 * 60_000)
  expect(limit.isReached('a')).toBe(false)
})

test('what is no scope is left out, and what is beyond reason', () => {
  expect(toScopeTokens('a "b" c\\d é \u0007 a')).toEqual(['a'])
  expect(toScopeTokens('s '.repeat(5_000))).toEqual(['s'])
  expect(toScopeTokens(Array.from({ length: 500 }, (_, i) => `${i}`).join(' '))).toHaveLength(100)
  expect(joinScopes(undefined, '', ' ')).toBeUndefined()
  expect(coversScope('a b', undefined)).toBe(true)
  expect(coversScope(undefined, 'a')).toBe(false)
})
