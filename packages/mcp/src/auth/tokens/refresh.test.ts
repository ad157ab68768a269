import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMemoryOAuthStore, type OAuthStore } from '../storage/oauth-store.ts'
import {
  ask,
  failureOf,
  type OAuthWorld,
  signIn,
  signInOf,
  startOAuthWorld,
} from '../test-oauth.ts'

const refreshes = ({ authorization }: OAuthWorld) => authorization.grants('refresh_token')

async function startSignedIn(options?: Parameters<typeof startOAuthWorld>[0]) {
  const world = await startOAuthWorld(options)
  const authorizer = world.createAuthorizer()
  await signIn(world, authorizer)
  // Tokens that are refused within seconds of a sign-in are not worth a refresh.
  world.clock.advance(60_000)
  return { world, authorizer }
}

describe('tokens that the server refuses', () => {
  test('are refreshed once for 1,000 requests that are refused together [F11]', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    const sent = await authorizer.headers()
    world.authorization.revokeAll('access')
    const challenge = { status: 401, wwwAuthenticate: undefined } as const
    const callers = Array.from({ length: 1_000 }, () => authorizer.challenged(challenge, { sent }))
    await Promise.all(callers)
    expect(refreshes(world)).toBe(1)
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('are refreshed once for requests that meet the refusal one after the other', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    const count = longCount(100, 1_000)
    const statuses = Array.from({ length: count }, () => ask(world, authorizer))
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
    expect(refreshes(world)).toBe(1)
  })

  test('are refreshed once by authorizers that share a store [F11]', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    const others = Array.from({ length: 20 }, () => world.createAuthorizer())
    for (const other of others) await other.headers()
    world.authorization.revokeAll('access')
    await Promise.all([authorizer, ...others].map((one) => ask(world, one)))
    expect(refreshes(world)).toBe(1)
  })

  test('that another process has renewed meanwhile are taken from there', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    const { get, set, delete: remove } = world.store
    const other = world.createAuthorizer({ store: { get, set, delete: remove } })
    await other.headers()
    world.authorization.revokeAll('access')
    world.authorization.intercept = async ({ path }) => {
      if (path !== '/token') return undefined
      world.authorization.intercept = undefined
      await ask(world, other)
      return undefined
    }
    expect(await ask(world, authorizer)).toBe(200)
    expect(refreshes(world)).toBe(2)
    expect(await authorizer.headers()).toEqual(await other.headers())
  })

  test('ask for a sign-in when the refresh token is dead [F11]', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    world.authorization.revokeAll('refresh')
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await ask(world, authorizer)).toBe(200)
    expect(world.authorization.clients.size).toBe(1)
  })

  test('ask for a sign-in when there is no refresh token', async () => {
    const { world, authorizer } = await startSignedIn({ authorization: { refreshes: false } })
    await using _ = world
    world.authorization.revokeAll('access')
    expect((await signInOf(ask(world, authorizer))).issuer).toBe(world.authorization.issuer)
  })

  test('make a new registration when the server has forgotten the old one', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    world.authorization.clients.clear()
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('of a sign-in seconds ago are refused for good, without asking again', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    world.authorization.revokeAll('access')
    const error = await failureOf(ask(world, authorizer))
    expect(error).toMatchObject({ kind: 'http', statusCode: 401, retryable: false })
    expect(refreshes(world)).toBe(0)
  })

  test('though refreshed seconds ago ask for a sign-in, not for another refresh', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    await ask(world, authorizer)
    world.authorization.revokeAll('access')
    await signInOf(ask(world, authorizer))
    await signInOf(ask(world, authorizer))
    expect(refreshes(world)).toBe(1)
  })
})

describe('a refresh that fails', () => {
  const huge = { body: { pad: 'x'.repeat(70_000) } }
  test.for([
    ['is refused with 500', { status: 500, body: { error: 'server_error' } }],
    ['is refused with 503 and no JSON', { status: 503, body: '<h1>busy</h1>' }],
    ['is refused with 429', { status: 429, body: { error: 'too_many_requests' } }],
    ['is refused for another reason', { status: 400, body: { error: 'invalid_request' } }],
    ['is refused for a reason nobody knows', { status: 400, body: { error: 'because' } }],
    ['has no token in its answer', { body: {} }],
    ['has a token that is no bearer token', { body: { access_token: 'x', token_type: 'mac' } }],
    ['has a token that fits no header', { body: { access_token: 'x\ny', token_type: 'Bearer' } }],
    ['has a list for an answer', { body: [] }],
    ['answers with more than 64 KiB', huge],
    ['is redirected elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
    ['is cut off', 'cut'],
  ] as const)('because it %s keeps the tokens and may be tried again', async ([, answer]) => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    world.authorization.intercept = ({ path }) => (path === '/token' ? answer : undefined)
    const error = await failureOf(ask(world, authorizer))
    expect(error).toMatchObject({ retryable: true, mayHaveRun: false })
    expect(error.kind).not.toBe('sign_in')
    world.authorization.intercept = undefined
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('because nobody answers ends after a while', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    world.authorization.intercept = ({ path }) => (path === '/token' ? 'hang' : undefined)
    const failure = failureOf(ask(world, authorizer))
    await waitFor(() => refreshes(world) === 1)
    world.clock.advance(30_000)
    expect(await failure).toMatchObject({ kind: 'timeout', retryable: true })
    expect(world.clock.pending()).toBe(0)
  })

  test('ends with the egress', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.authorization.revokeAll('access')
    world.authorization.intercept = ({ path }) => (path === '/token' ? 'hang' : undefined)
    const failure = failureOf(ask(world, authorizer))
    await waitFor(() => refreshes(world) === 1)
    await world.egress.close()
    expect(await failure).toMatchObject({ kind: 'closed' })
    expect(world.clock.pending()).toBe(0)
  })

  test('fails all who wait for it, with one request', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    const sent = await authorizer.headers()
    world.authorization.intercept = ({ path }) => (path === '/token' ? { status: 500 } : undefined)
    const challenge = { status: 401, wwwAuthenticate: undefined } as const
    const callers = Array.from({ length: 100 }, () =>
      failureOf(authorizer.challenged(challenge, { sent })),
    )
    const kinds = new Set((await Promise.all(callers)).map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(['unavailable']))
    expect(refreshes(world)).toBe(1)
  })
})

describe('tokens about to expire', () => {
  test('are refreshed before they are used', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    const before = await authorizer.headers()
    world.clock.advance(3_600_000 - 60_000 - 30_000)
    expect(await authorizer.headers()).toEqual(before)
    world.clock.advance(1)
    expect(await authorizer.headers()).not.toEqual(before)
    expect(refreshes(world)).toBe(1)
    expect(world.resource.accepted()).toBe(0)
  })

  test('are refreshed once for all', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.clock.advance(3_600_000)
    const all = await Promise.all(Array.from({ length: 1_000 }, () => authorizer.headers()))
    expect(new Set(all.map(({ authorization }) => authorization)).size).toBe(1)
    expect(refreshes(world)).toBe(1)
  })

  test('that live for seconds are used for half their life', async () => {
    const { world, authorizer } = await startSignedIn({ authorization: { expiresIn: 20 } })
    await using _ = world
    await authorizer.headers()
    const before = refreshes(world)
    world.clock.advance(9_000)
    await authorizer.headers()
    expect(refreshes(world)).toBe(before)
    world.clock.advance(2_000)
    await authorizer.headers()
    expect(refreshes(world)).toBe(before + 1)
  })

  test('are used on while the authorization server is away, and not asked for all the time', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    const before = await authorizer.headers()
    world.clock.advance(3_600_000 - 60_000 - 20_000)
    world.authorization.intercept = () => ({ status: 503 })
    for (let i = 0; i < 10; i++) expect(await authorizer.headers()).toEqual(before)
    expect(refreshes(world)).toBe(1)
    world.clock.advance(5_000)
    world.authorization.intercept = undefined
    expect(await authorizer.headers()).not.toEqual(before)
  })

  test('once expired fail the request instead of being sent', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.clock.advance(3_600_000)
    world.authorization.intercept = () => ({ status: 503 })
    expect(await failureOf(authorizer.headers())).toMatchObject({ retryable: true })
  })

  test('ask for a sign-in when the refresh token is dead', async () => {
    const { world, authorizer } = await startSignedIn()
    await using _ = world
    world.clock.advance(3_600_000)
    world.authorization.revokeAll('refresh')
    expect((await signInOf(authorizer.headers())).issuer).toBe(world.authorization.issuer)
  })

  test('that do not say when are used until they are refused', async () => {
    const { world, authorizer } = await startSignedIn({ authorization: { expiresIn: 0 } })
    await using _ = world
    world.clock.advance(365 * 86_400_000)
    expect(await ask(world, authorizer)).toBe(200)
    expect(refreshes(world)).toBe(0)
  })
})

describe('a store that fails', () => {
  function createFailing(): { store: OAuthStore; fails: { set: boolean; get: boolean } } {
    const memory = createMemoryOAuthStore()
    const fails = { set: false, get: false }
    const refuse = (yes: boolean) => {
      if (yes) throw new Error('disk of somebody with the token t0ps3cret is full')
    }
    const store: OAuthStore = {
      ...memory,
      async set(key, value) {
        refuse(fails.set)
        await memory.set(key, value)
      },
      async get(key) {
        refuse(fails.get)
        return memory.get(key)
      },
    }
    return { store, fails }
  }

  test('loses no new tokens: they are used from memory and stored later', async () => {
    await using world = await startOAuthWorld()
    const { store, fails } = createFailing()
    const authorizer = world.createAuthorizer({ store })
    await signIn(world, authorizer)
    world.clock.advance(3_590_000)
    fails.set = true
    const { authorization } = await authorizer.headers()
    expect(refreshes(world)).toBe(1)
    expect(await authorizer.headers()).toEqual({ authorization })
    expect(world.warnings).toEqual(['mcp: new tokens could not be stored; they are kept in memory'])
    fails.set = false
    world.clock.advance(5_000)
    await authorizer.headers()
    expect(await world.createAuthorizer({ store }).headers()).toEqual({ authorization })
  })

  test('is told as such, without its own words', async () => {
    await using world = await startOAuthWorld()
    const { store, fails } = createFailing()
    const authorizer = world.createAuthorizer({ store })
    fails.get = true
    const error = await failureOf(authorizer.headers())
    expect(error).toMatchObject({ kind: 'unavailable', code: 'store_unavailable', retryable: true })
    expect(error.cause).toBeUndefined()
  })
})
