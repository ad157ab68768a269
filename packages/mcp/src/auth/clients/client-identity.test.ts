import { randomUUID } from 'node:crypto'
import { scanForCanaries, startAuthorizationServer } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import {
  ask,
  failureOf,
  type OAuthWorld,
  redirectUrl,
  signIn,
  signInOf,
  startOAuthWorld,
} from '../test-oauth.ts'

const clientMetadataUrl = 'https://app.example/client.json'
const registered = { client_id: 'by-hand', client_secret: 'hand-secret' }
const known = [{ ...registered, redirect_uris: [redirectUrl] }]
const documents = { client_id_metadata_document_supported: true }

const clientOf = (authorizationUrl: string) =>
  new URL(authorizationUrl).searchParams.get('client_id')
const registrations = ({ authorization }: OAuthWorld) =>
  authorization.requests.filter(({ path }) => path === '/register')

describe('this client is known', () => {
  test('by hand, before all else', async () => {
    const authorization = { clients: known, metadata: documents }
    await using world = await startOAuthWorld({ authorization })
    const authorizer = world.createAuthorizer({ client: registered, clientMetadataUrl })
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    expect(clientOf(authorizationUrl)).toBe('by-hand')
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await ask(world, authorizer)).toBe(200)
    expect(registrations(world)).toEqual([])
  })

  test('by its metadata document, where the server reads those', async () => {
    await using world = await startOAuthWorld({ authorization: { metadata: documents } })
    const authorizer = world.createAuthorizer({ clientMetadataUrl })
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    expect(clientOf(authorizationUrl)).toBe(clientMetadataUrl)
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    world.clock.advance(3_600_000)
    expect(await ask(world, authorizer)).toBe(200)
    expect(registrations(world)).toEqual([])
  })

  test('by registering, where it does not', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer({ clientMetadataUrl })
    await signIn(world, authorizer)
    const [request] = registrations(world)
    expect(JSON.parse(request?.body ?? '')).toEqual({
      client_name: 'DataAgent',
      redirect_uris: [redirectUrl],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    })
  })

  test('by the same registration until its redirect addresses change', async () => {
    await using world = await startOAuthWorld()
    await signInOf(ask(world, world.createAuthorizer()))
    await signInOf(ask(world, world.createAuthorizer()))
    expect(registrations(world)).toHaveLength(1)
    const other = world.createAuthorizer({ redirectUrl: 'https://app.example/callback' })
    await signInOf(ask(world, other))
    expect(registrations(world)).toHaveLength(2)
  })

  test('by a new registration when the secret of the old one has expired', async () => {
    await using world = await startOAuthWorld()
    const client_secret_expires_at = world.clock.now() / 1_000 + 60
    const body = { client_id: 'c', client_secret: 's', client_secret_expires_at, redirect_uris: [] }
    world.authorization.intercept = ({ path }) => (path === '/register' ? { body } : undefined)
    await signInOf(ask(world, world.createAuthorizer()))
    world.clock.advance(59_000)
    await signInOf(ask(world, world.createAuthorizer()))
    expect(registrations(world)).toHaveLength(1)
    world.clock.advance(1_000)
    await signInOf(ask(world, world.createAuthorizer()))
    expect(registrations(world)).toHaveLength(2)
  })
})

describe('a registration that fails', () => {
  test.for([
    ['is not offered', undefined, /register one there/, 'config'],
    [
      'is refused',
      { status: 400, body: { error: 'invalid_redirect_uri' } },
      /_redirect_uri$/,
      'config',
    ],
    ['is refused oddly', { status: 403, body: 'no <secret>' }, /this client: http 403$/, 'config'],
    ['meets trouble', { status: 500, body: 'oops <secret>' }, /cannot be used$/, 'unavailable'],
    ['gives no id', { status: 201, body: { redirect_uris: [] } }, /cannot be used$/, 'unavailable'],
    [
      'gives an id beyond reason',
      { status: 201, body: { client_id: 'x'.repeat(5_000), redirect_uris: [] } },
      /cannot be used$/,
      'protocol',
    ],
  ] as const)('because it %s says so', async ([, answer, message, kind]) => {
    const metadata = answer ? {} : { registration_endpoint: undefined }
    await using world = await startOAuthWorld({ authorization: { metadata } })
    world.authorization.intercept = ({ path }) => (path === '/register' ? answer : undefined)
    const error = await failureOf(ask(world, world.createAuthorizer()))
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('<secret>')
    expect(error.kind).toBe(kind)
  })
})

describe('a server that changes its authorization server', () => {
  async function startTwo(options: { clients?: typeof known } = {}) {
    const second = await startAuthorizationServer(options)
    const issuers: string[] = []
    const secrets: string[] = []
    const createSecret = () => secrets[secrets.push(randomUUID()) - 1] as string
    const world = await startOAuthWorld({
      authorization: { ...options, createSecret },
      resource: { issuers: () => issuers },
    })
    issuers.push(world.authorization.issuer)
    const moveTo = (issuer: string) => issuers.splice(0, 1, issuer)
    return { world, second, moveTo, secrets }
  }

  test('gets the person to sign in at the new one, which sees nothing of the old [T19]', async () => {
    const { world, second, moveTo, secrets } = await startTwo()
    await using _ = world
    await using _second = second
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    // A client secret, a code, an access token and a refresh token; and the client's id.
    expect(secrets).toHaveLength(4)
    secrets.push(...world.authorization.clients.keys())
    world.clock.advance(60_000)
    world.authorization.revokeAll('access')
    moveTo(second.issuer)
    const pending = await signInOf(ask(world, authorizer))
    expect(pending.issuer).toBe(second.issuer)
    await authorizer.finish(await second.visit(pending.authorizationUrl))
    const sink = { name: 'second', object: second.requests }
    expect(await scanForCanaries(secrets, [sink])).toEqual([])
    expect(world.authorization.grants('refresh_token')).toBe(0)
    expect(second.clients.size).toBe(1)
  })

  test('and changes back finds the person still signed in', async () => {
    const { world, second, moveTo } = await startTwo()
    await using _ = world
    await using _second = second
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    const before = await authorizer.headers()
    const challenge = { status: 401, wwwAuthenticate: undefined } as const
    moveTo(second.issuer)
    await signInOf(authorizer.challenged(challenge, { sent: before }))
    expect(await authorizer.headers()).toEqual({})
    moveTo(world.authorization.issuer)
    await authorizer.challenged(challenge, { sent: {} })
    expect(await authorizer.headers()).toEqual(before)
  })

  test('does not get the code of a sign-in begun at the old one [T19]', async () => {
    const { world, second, moveTo } = await startTwo()
    await using _ = world
    await using _second = second
    const authorizer = world.createAuthorizer()
    const first = await signInOf(ask(world, authorizer))
    moveTo(second.issuer)
    await signInOf(ask(world, authorizer))
    await authorizer.finish(await world.authorization.visit(first.authorizationUrl))
    expect(second.grants('authorization_code')).toBe(0)
    expect(world.authorization.grants('authorization_code')).toBe(1)
  })

  test.for([
    ['the issuer it is registered with', true],
    ['the first it was used with', false],
  ] as const)('does not get a client of ours that keeps to %s', async ([, isNamed]) => {
    const { world, second, moveTo } = await startTwo({ clients: known })
    await using _ = world
    await using _second = second
    const issuer = isNamed ? { issuer: world.authorization.issuer } : {}
    const client = { ...registered, ...issuer }
    await signIn(world, world.createAuthorizer({ client }))
    world.clock.advance(60_000)
    world.authorization.revokeAll('access')
    moveTo(second.issuer)
    const error = await failureOf(ask(world, world.createAuthorizer({ client })))
    expect(error).toMatchObject({ kind: 'config', retryable: false })
    expect(error.message).toMatch(/registered with another authorization server$/)
    const sink = { name: 'second', object: second.requests }
    expect(await scanForCanaries(['by-hand', 'hand-secret'], [sink])).toEqual([])
  })

  test('again and again is remembered for the last few only', async () => {
    await using world = await startOAuthWorld({ resource: { issuers: () => [issuer] } })
    let issuer = ''
    const keys = new Set<string>()
    const { store } = world
    const counted = {
      ...store,
      set: (key: string, value: Record<string, unknown>) =>
        store.set(key, value).then(() => void keys.add(key)),
      delete: (key: string) => store.delete(key).then(() => void keys.delete(key)),
    }
    const authorizer = world.createAuthorizer({ store: counted })
    for (let i = 0; i < 20; i++) {
      await using other = await startAuthorizationServer({ path: `/${i}` })
      issuer = other.issuer
      await signInOf(ask(world, authorizer))
    }
    // The server, the sign-ins, and four registrations.
    expect(keys.size).toBe(6)
  })
})
