import { createEgress } from '@dataagent/guard'
import { startAuthorizationServer } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { ask, failureOf, signIn, startOAuthWorld } from './test-oauth.ts'

describe('all requests leave by the egress', () => {
  test('an authorization server that the policy forbids is never asked [T4]', async () => {
    await using world = await startOAuthWorld()
    const allowedAddresses = [new URL(world.resource.url).host]
    await using egress = createEgress({ policy: { mode: 'public', allowedAddresses } })
    const authorizer = world.createAuthorizer({ egress })
    const error = await failureOf(ask(world, authorizer))
    expect(error).toMatchObject({ kind: 'config', code: 'egress_denied', retryable: false })
    expect(world.authorization.requests).toEqual([])
  })

  test('a policy of its own goes before that of the egress', async () => {
    await using world = await startOAuthWorld()
    const policy = { mode: 'public' } as const
    const error = await failureOf(ask(world, world.createAuthorizer({ policy })))
    expect(error.code).toBe('egress_denied')
    const paths = world.resource.requests.map(({ path }) => path)
    expect(paths).toEqual(['/mcp'])
  })

  test('endpoints elsewhere than the issuer are held to the policy too', async () => {
    await using other = await startAuthorizationServer()
    const metadata = { token_endpoint: `${other.issuer}/token` }
    await using world = await startOAuthWorld({ authorization: { metadata } })
    const hosts = [world.resource.url, world.authorization.issuer].map((url) => new URL(url).host)
    await using egress = createEgress({ policy: { mode: 'public', allowedAddresses: hosts } })
    const authorizer = world.createAuthorizer({ egress })
    const error = await failureOf(signIn(world, authorizer))
    expect(error.code).toBe('egress_denied')
    expect(other.requests).toEqual([])
  })

  test('a redirect does not carry a look at metadata to another origin', async () => {
    await using other = await startAuthorizationServer()
    await using world = await startOAuthWorld()
    const headers = { location: `${other.issuer}/.well-known/oauth-authorization-server` }
    world.authorization.intercept = () => ({ status: 302, headers })
    await failureOf(signIn(world, world.createAuthorizer()))
    expect(other.requests).toEqual([])
  })

  test.for([307, 308, 302])('a redirect %s does not carry a token request away', async (status) => {
    await using other = await startAuthorizationServer()
    await using world = await startOAuthWorld()
    const headers = { location: `${other.issuer}/token` }
    world.authorization.intercept = ({ path }) =>
      path === '/token' ? { status, headers } : undefined
    await failureOf(signIn(world, world.createAuthorizer()))
    expect(other.requests).toEqual([])
  })
})
