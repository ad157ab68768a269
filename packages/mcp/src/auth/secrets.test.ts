import {
  type Canary,
  createCanary,
  expectNoCanary,
  type Intercept,
  type SecretKind,
  type StandInRequest,
} from '@dataagent/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createJwtBearerAuthorizer } from './grant-authorizer.ts'
import type { OAuthAuthorizer, OAuthAuthorizerOptions } from './oauth-contract.ts'
import type { OAuthStore } from './storage/oauth-store.ts'
import { ask, type OAuthWorld, redirectUrl, startOAuthWorld } from './test-oauth.ts'

/** Everything that is written anywhere while a test runs. */
const written: unknown[] = []
const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

beforeEach(() => {
  written.length = 0
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...args) => void written.push(args))
  }
})
afterEach(() => vi.restoreAllMocks())

interface Planted extends AsyncDisposable {
  world: OAuthWorld
  canaries: Canary[]
  kept: string[]
  authorizer: OAuthAuthorizer
}

/** A world in which every secret can be told: those it gives out, and those we make ourselves. */
async function plant(
  options: Partial<OAuthAuthorizerOptions> = {},
  clients: { client_id: string; client_secret: string }[] = [],
): Promise<Planted> {
  const canaries: Canary[] = []
  const kept: string[] = []
  const createSecret = (kind: SecretKind) => {
    const canary = createCanary(kind)
    canaries.push(canary)
    return kind === 'client_secret' ? canary.password : canary.apiKey
  }
  const known = clients.map((client) => ({ ...client, redirect_uris: [redirectUrl] }))
  const world = await startOAuthWorld({ authorization: { createSecret, clients: known } })
  const store = listenTo(world.store, kept)
  const authorizer = world.createAuthorizer({ ...options, store })
  return { world, canaries, kept, authorizer, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
}

/** Notes the verifiers, which nobody but this client makes. */
function listenTo(store: OAuthStore, kept: string[]): OAuthStore {
  return {
    ...store,
    async set(key, value) {
      const { sign_ins = [] } = value as { sign_ins?: { code_verifier: string }[] }
      kept.push(...sign_ins.map(({ code_verifier }) => code_verifier))
      await store.set(key, value)
    },
  }
}

/** All that a host could see of a life: sign-in, use, refresh, end. Trouble begins where told. */
async function live(
  { world, authorizer }: Planted,
  trouble: Intercept,
  begins: 'before' | 'after the sign-in',
): Promise<unknown[]> {
  const seen: unknown[] = []
  const note = async (work: () => Promise<unknown>) => {
    seen.push(await work().catch((error: unknown) => error))
    seen.push(await authorizer.status().catch((error: unknown) => error))
  }
  world.authorization.intercept = begins === 'before' ? trouble : undefined
  await note(() => ask(world, authorizer))
  await note(async () => {
    const { authorizationUrl } = await authorizer.signIn()
    seen.push(authorizationUrl)
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
  })
  await note(() => ask(world, authorizer))
  world.authorization.intercept = trouble
  world.clock.advance(60_000)
  world.authorization.revokeAll('access')
  await note(() => ask(world, authorizer))
  world.clock.advance(3_600_000)
  await note(async () => void (await authorizer.headers()))
  world.authorization.revokeAll('refresh')
  await note(() => ask(world, authorizer))
  await note(() => authorizer.signOut())
  return [...seen, ...world.warnings]
}

/** Repeats all it was sent. */
const echo = ({ body, headers }: StandInRequest) => `${body} ${headers.authorization ?? ''}`
const secretIn = ({ body }: StandInRequest) => {
  const form = new URLSearchParams(body)
  return form.get('refresh_token') ?? form.get('code') ?? form.get('token') ?? body
}

const answers: [string, Intercept][] = [
  ['nothing out of the ordinary', () => undefined],
  ['what it was sent, as text', (request) => ({ status: 500, body: echo(request) })],
  ['what it was sent, as text and well', (request) => ({ body: echo(request) })],
  ['a secret as error code', (request) => ({ status: 400, body: { error: secretIn(request) } })],
  [
    'what it was sent, as description',
    (request) => ({
      status: 400,
      body: { error: 'invalid_request', error_description: echo(request) },
    }),
  ],
  [
    'a dead grant, with what it was sent',
    (request) => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: echo(request) },
    }),
  ],
  [
    'an unknown client, with what it was sent',
    (request) => ({ status: 401, body: { error: 'invalid_client', error_uri: echo(request) } }),
  ],
  [
    'a token of another type',
    (request) => ({ body: { access_token: secretIn(request), token_type: secretIn(request) } }),
  ],
  [
    'a token that fits no header',
    (request) => ({ body: { access_token: `${secretIn(request)}\n`, token_type: 'Bearer' } }),
  ],
  [
    'a number for a token',
    (request) => ({ body: { access_token: 1, token_type: 'Bearer', [secretIn(request)]: 1 } }),
  ],
  [
    'a redirect with what it was sent',
    (request) => ({
      status: 302,
      headers: { location: `http://127.0.0.1:1/?${encodeURIComponent(echo(request))}` },
    }),
  ],
  ['a cut', () => 'cut'],
]

const places = ['/token', '/register', '/revoke']

describe('no secret is in an error, a warning or the output', () => {
  test.for(answers.flatMap(([name, answer]) => places.map((place) => ({ name, answer, place }))))(
    'when $place answers $name',
    async ({ answer, place }) => {
      await using planted = await plant()
      const { canaries, kept } = planted
      const trouble: Intercept = (request) => (request.path === place ? answer(request) : undefined)
      const seen = [
        await live(planted, trouble, 'after the sign-in'),
        await live(planted, trouble, 'before'),
        await live(planted, trouble, 'after the sign-in'),
      ]
      expect(canaries.length).toBeGreaterThan(5)
      expect(kept.length).toBeGreaterThan(1)
      await expectNoCanary(
        [...canaries, ...new Set(kept)],
        [
          { name: 'seen', object: seen },
          { name: 'written', object: written },
        ],
      )
    },
  )

  test('of a client registered by hand', async () => {
    const canary = createCanary('by hand')
    const client = { client_id: 'us', client_secret: canary.password }
    await using planted = await plant({ client }, [client])
    const trouble: Intercept = (request) => ({ status: 400, body: echo(request) })
    const seen = [
      await live(planted, () => undefined, 'before'),
      await live(planted, trouble, 'after the sign-in'),
      await live(planted, trouble, 'before'),
    ]
    await expectNoCanary([canary, ...planted.canaries], [{ name: 'seen', object: [seen, written] }])
  })

  test('of an assertion, a private key or an ID token', async () => {
    const canary = createCanary('assertion')
    await using world = await startOAuthWorld()
    const { egress, resource, clock } = world
    const client = {
      client_id: 'us',
      private_key: `-----BEGIN ${canary.marker}`,
      algorithm: 'ES256',
    }
    const options = { serverUrl: resource.url, egress, clock, client }
    const seen: unknown[] = []
    for (const assertion of [
      async () => canary.apiKey,
      () => Promise.reject(new Error(canary.apiKey)),
    ]) {
      const authorizer = createJwtBearerAuthorizer({ ...options, assertion })
      seen.push(await ask(world, authorizer).catch((error: unknown) => error))
    }
    expect(seen.every((error) => error instanceof Error)).toBe(true)
    await expectNoCanary([canary], [{ name: 'seen', object: [seen, written] }])
  })
})
