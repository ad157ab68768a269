import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createOAuthAuthorizer } from './oauth-authorizer.ts'
import { ask, failureOf, redirectUrl, signIn, signInOf, startOAuthWorld } from './test-oauth.ts'

describe('signing in', () => {
  test('a refused request asks for a sign-in, and works once it is finished', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    const { authorizationUrl } = await signInOf(ask(world, authorizer))
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await ask(world, authorizer)).toBe(200)
    expect(world.resource.accepted()).toBe(1)
  })

  test('the sign-in names client, PKCE challenge, resource and a state of its own', async () => {
    await using world = await startOAuthWorld({ resource: { scopeFor: () => 'files:read' } })
    const pending = await signInOf(ask(world, world.createAuthorizer()))
    const { searchParams } = new URL(pending.authorizationUrl)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: [...world.authorization.clients.keys()][0],
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      redirect_uri: redirectUrl,
      state: pending.state,
      scope: 'files:read',
      resource: world.resource.url,
    })
    expect(pending.state).toMatch(/^[\w-]{43}$/)
  })

  test('many refused at once are sent to one sign-in of one registration', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    const count = longCount(50, 1_000)
    const work = Array.from({ length: count }, () => signInOf(ask(world, authorizer)))
    const urls = new Set((await Promise.all(work)).map(({ authorizationUrl }) => authorizationUrl))
    expect(urls.size).toBe(1)
    expect(world.authorization.clients.size).toBe(1)
  })

  test('may be begun before anything is refused', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    const { authorizationUrl, issuer } = await authorizer.signIn()
    expect(issuer).toBe(world.authorization.issuer)
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('needs no egress of the host, and leaves no connection open', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer({ egress: undefined })
    const before = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
    const { authorizationUrl } = await authorizer.signIn()
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    await waitFor(() => {
      const open = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
      return open.length <= before.length
    })
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('outlives the process that began it', async () => {
    await using world = await startOAuthWorld()
    const { authorizationUrl } = await signInOf(ask(world, world.createAuthorizer()))
    const answer = await world.authorization.visit(authorizationUrl)
    await world.createAuthorizer().finish(answer)
    expect(await ask(world, world.createAuthorizer())).toBe(200)
  })

  test('is seen by an authorizer that had none before', async () => {
    await using world = await startOAuthWorld()
    const other = world.createAuthorizer()
    expect(await other.headers()).toEqual({})
    await signIn(world, world.createAuthorizer())
    expect(await ask(world, other)).toBe(200)
  })

  test('tells where it stands', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    expect(await authorizer.status()).toEqual({ status: 'signed_out' })
    const pending = await authorizer.signIn()
    expect(await authorizer.status()).toEqual({ status: 'pending', signIn: pending })
    await authorizer.finish(await world.authorization.visit(pending.authorizationUrl))
    const { issuer } = world.authorization
    const expires_at = world.clock.now() + 3_600_000
    expect(await authorizer.status()).toEqual({ status: 'signed_in', issuer, expires_at })
    await authorizer.signOut()
    expect(await authorizer.status()).toEqual({ status: 'signed_out' })
  })

  test('a caller that gives up is let go at once, and the others are not', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    const controller = new AbortController()
    world.authorization.intercept = () => {
      controller.abort()
      return undefined
    }
    const challenge = { status: 401, wwwAuthenticate: undefined } as const
    const { signal } = controller
    const [gone, other] = await Promise.all([
      failureOf(authorizer.challenged(challenge, { sent: {}, signal })),
      failureOf(authorizer.challenged(challenge, { sent: {} })),
    ])
    expect(gone.kind).toBe('cancelled')
    expect(other.kind).toBe('sign_in')
  })
})

describe('the answer to a sign-in', () => {
  async function begin(world: Awaited<ReturnType<typeof startOAuthWorld>>) {
    const authorizer = world.createAuthorizer()
    const { authorizationUrl } = await authorizer.signIn()
    const visit = (agrees: boolean) => world.authorization.visit(authorizationUrl, { agrees })
    return { authorizer, visit, answer: await visit(true) }
  }

  test.for([
    ['another state', { state: 'x'.repeat(43) }, 'state'],
    ['no state', { state: undefined }, 'state'],
    ['another issuer', { iss: 'https://attacker.example' }, 'issuer'],
    ['the issuer spelled otherwise', { iss: 'HTTP://127.0.0.1' }, 'issuer'],
    ['no issuer, though the server promises it', { iss: undefined }, 'issuer'],
    ['no code', { code: undefined }, 'refused'],
    ['a code that is not known', { code: 'made-up' }, 'code'],
  ] as const)('with %s is refused', async ([, change, reason]) => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    const error = await failureOf(authorizer.finish({ ...answer, ...change }))
    expect(error).toMatchObject({ kind: 'sign_in', data: { reason } })
    const asked = world.authorization.grants('authorization_code')
    expect(asked).toBe(reason === 'code' ? 1 : 0)
    expect(await authorizer.headers()).toEqual({})
  })

  test('needs no issuer where the server promises none', async () => {
    const metadata = { authorization_response_iss_parameter_supported: undefined }
    await using world = await startOAuthWorld({ authorization: { metadata } })
    const { authorizer, answer } = await begin(world)
    await authorizer.finish({ ...answer, iss: undefined })
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('from another issuer is refused where the server promises none [T19]', async () => {
    const metadata = { authorization_response_iss_parameter_supported: undefined }
    await using world = await startOAuthWorld({ authorization: { metadata } })
    const { authorizer, answer } = await begin(world)
    const error = await failureOf(authorizer.finish({ ...answer, iss: 'https://other.example' }))
    expect(error.data?.reason).toBe('issuer')
    expect(world.authorization.grants('authorization_code')).toBe(0)
  })

  test('with a slash more in the issuer is refused', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    const error = await failureOf(authorizer.finish({ ...answer, iss: `${answer.iss}/` }))
    expect(error.data?.reason).toBe('issuer')
  })

  test('from elsewhere does not get its error shown', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    const { state } = answer
    const lie = { state, iss: 'https://attacker.example', error: 'access_denied' }
    const error = await failureOf(authorizer.finish(lie))
    expect(error.data).toEqual({ reason: 'issuer' })
  })

  test('that declines says so', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, visit } = await begin(world)
    const error = await failureOf(authorizer.finish(await visit(false)))
    expect(error.data).toEqual({ reason: 'refused', error: 'access_denied' })
    expect(error.message).toBe('mcp: the sign-in was refused: access_denied')
  })

  test('is good for ten minutes', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    world.clock.advance(10 * 60_000)
    const error = await failureOf(authorizer.finish(answer))
    expect(error.data?.reason).toBe('expired')
  })

  test('is good once', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    await authorizer.finish(answer)
    const error = await failureOf(authorizer.finish(answer))
    expect(error.data?.reason).toBe('state')
    expect(world.authorization.grants('authorization_code')).toBe(1)
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('that comes twice at the same time is handed in once', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    await Promise.all([authorizer.finish(answer), authorizer.finish(answer)])
    expect(world.authorization.grants('authorization_code')).toBe(1)
  })

  test('that could not be handed in may be tried again', async () => {
    await using world = await startOAuthWorld()
    const { authorizer, answer } = await begin(world)
    world.authorization.intercept = () => 'cut'
    const error = await failureOf(authorizer.finish(answer))
    expect(error).toMatchObject({ kind: 'network', retryable: true })
    world.authorization.intercept = undefined
    await authorizer.finish(answer)
    expect(await ask(world, authorizer)).toBe(200)
  })
})

describe('signing out', () => {
  test('forgets the tokens and revokes both', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    const { authorization = '' } = await authorizer.headers()
    await authorizer.signOut()
    expect(await authorizer.headers()).toEqual({})
    expect(world.authorization.verify(authorization.replace('Bearer ', ''))).toBeUndefined()
    const revocations = world.authorization.requests.filter(({ path }) => path === '/revoke')
    const hints = revocations.map(({ body }) => new URLSearchParams(body).get('token_type_hint'))
    expect(hints).toEqual(['refresh_token', 'access_token'])
    expect((await signInOf(ask(world, authorizer))).authorizationUrl).toBeTruthy()
  })

  test('holds though the authorization server cannot be told', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    world.authorization.intercept = () => 'cut'
    await authorizer.signOut()
    expect(await authorizer.headers()).toEqual({})
    expect(world.warnings).toEqual([
      `mcp: ${new URL(world.authorization.issuer).host} could not be told of the sign-out; its tokens expire by themselves`,
    ])
  })

  test('ends the sign-ins under way', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    const { authorizationUrl } = await authorizer.signIn()
    await authorizer.signOut()
    const answer = await world.authorization.visit(authorizationUrl)
    expect((await failureOf(authorizer.finish(answer))).data?.reason).toBe('state')
  })

  test('does not register again at the next sign-in', async () => {
    await using world = await startOAuthWorld()
    const authorizer = world.createAuthorizer()
    await signIn(world, authorizer)
    await authorizer.signOut()
    await signIn(world, authorizer)
    expect(world.authorization.clients.size).toBe(1)
  })
})

describe('options that cannot work are refused at once', () => {
  test.for([
    ['serverUrl', { serverUrl: 'http://mcp.example/mcp' }],
    ['serverUrl', { serverUrl: 'https://user:word@mcp.example/mcp' }],
    ['serverUrl', { serverUrl: 'not a url' }],
    ['redirectUrl', { redirectUrl: 'http://app.example/callback' }],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
    ['clientMetadataUrl', { clientMetadataUrl: 'https://app.example/' }],
    ['clientMetadataUrl', { clientMetadataUrl: 'http://app.example/client.json' }],
  ] as const)('%s: %o', async ([option, change]) => {
    await using world = await startOAuthWorld()
    const { egress } = world
    const good = { serverUrl: 'https://mcp.example/mcp', egress, redirectUrl }
    const make = () => createOAuthAuthorizer({ ...good, ...change })
    expect(make).toThrow(expect.objectContaining({ kind: 'config', data: { option } }))
  })
})
