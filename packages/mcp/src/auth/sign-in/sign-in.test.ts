import { describe, expect, test } from 'vitest'
import { ask, failureOf, signInOf, startOAuthWorld } from '../test-oauth.ts'

describe('nobody is sent to an authorization server', () => {
  test.for([
    ['that does not say whether it has PKCE', { code_challenge_methods_supported: undefined }],
    ['that has PKCE without a hash only', { code_challenge_methods_supported: ['plain'] }],
    ['that gives no codes', { response_types_supported: ['token'] }],
    ['that has no page to sign in at', { authorization_endpoint: undefined }],
  ])('%s', async ([, metadata]) => {
    await using world = await startOAuthWorld({ authorization: { metadata: Object(metadata) } })
    const error = await failureOf(ask(world, world.createAuthorizer()))
    expect(error).toMatchObject({ kind: 'protocol', retryable: false })
    expect(error.data?.authorizationUrl).toBeUndefined()
  })
})

describe('a sign-in that waits', () => {
  test('is offered again while there is time, then a new one', async () => {
    await using world = await startOAuthWorld()
    const offer = async () => (await signInOf(ask(world, world.createAuthorizer()))).state
    const first = await offer()
    world.clock.advance(4 * 60_000)
    expect(await offer()).toBe(first)
    world.clock.advance(60_000)
    expect(await offer()).not.toBe(first)
  })

  test('is not lost when another asks for more, up to a few', async () => {
    const wanted = { scope: 'a' }
    await using world = await startOAuthWorld({ resource: { scopeFor: () => wanted.scope } })
    const authorizer = world.createAuthorizer()
    const first = await signInOf(ask(world, authorizer))
    for (const scope of ['b', 'c', 'd']) {
      wanted.scope = scope
      await signInOf(ask(world, authorizer))
    }
    await authorizer.finish(await world.authorization.visit(first.authorizationUrl))
    wanted.scope = 'a'
    expect(await ask(world, authorizer)).toBe(200)
  })

  test('is given up when a server asks for ever other things', async () => {
    const wanted = { scope: 'a' }
    await using world = await startOAuthWorld({ resource: { scopeFor: () => wanted.scope } })
    const authorizer = world.createAuthorizer()
    const first = await signInOf(ask(world, authorizer))
    for (const scope of ['b', 'c', 'd', 'e']) {
      wanted.scope = scope
      await signInOf(ask(world, authorizer))
    }
    const answer = await world.authorization.visit(first.authorizationUrl)
    expect((await failureOf(authorizer.finish(answer))).data?.reason).toBe('state')
  })
})
