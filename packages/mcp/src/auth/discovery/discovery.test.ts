import { createEgress, systemClock } from '@dataagent/guard'
import { startAuthorizationServer, startProtectedResource } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createOAuthRequests } from '../requests/oauth-requests.ts'
import { failureOf, startOAuthWorld } from '../test-oauth.ts'
import { discover } from './discovery.ts'

type World = Awaited<ReturnType<typeof startOAuthWorld>>

function find(world: World, options: { named?: string; preferred?: string[] } = {}) {
  const { egress, resource, clock } = world
  return discover({
    serverUrl: new URL(resource.url),
    requests: createOAuthRequests({ egress }, new AbortController().signal),
    clock,
    resourceMetadataUrl: options.named,
    preferred: options.preferred ?? [],
  })
}

const paths = ({ requests }: { requests: { path: string }[] }) => requests.map(({ path }) => path)

describe('the metadata of a server', () => {
  test('is where the challenge says', async () => {
    await using world = await startOAuthWorld({ resource: { place: 'named' } })
    const named = `${world.resource.origin}/about`
    const found = await find(world, { named })
    expect(found).toMatchObject({ resource: world.resource.url, resource_metadata_url: named })
    expect(paths(world.resource)).toEqual(['/about'])
  })

  test('is else at the well-known place of its path', async () => {
    await using world = await startOAuthWorld()
    await find(world)
    expect(paths(world.resource)).toEqual(['/.well-known/oauth-protected-resource/mcp'])
  })

  test('is else at the well-known place of its host', async () => {
    await using world = await startOAuthWorld({ resource: { place: 'root' } })
    const found = await find(world)
    expect(found.authorization_server.issuer).toBe(world.authorization.issuer)
    expect(paths(world.resource)).toEqual([
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ])
  })

  test.for([
    ['is not there', 'http://127.0.0.1:1/'],
    ['is no address', 'nonsense'],
    ['runs a script', 'javascript:alert(1)'],
    ['has credentials', 'http://user:word@127.0.0.1/'],
  ])('is looked for elsewhere when the address in the challenge %s', async ([, named = '']) => {
    await using world = await startOAuthWorld()
    const address = named.includes(':1/') ? `${world.resource.origin}/nowhere` : named
    const found = await find(world, { named: address })
    expect(found.authorization_server.issuer).toBe(world.authorization.issuer)
  })

  test.for([
    ['another host', 'https://other.example/mcp'],
    ['another path', '/other'],
    ['a path that only begins alike', '/mc'],
    ['a fragment', '/mcp#part'],
    ['no address', undefined],
  ])('that is for %s is refused', async ([, resource]) => {
    await using authorization = await startAuthorizationServer()
    const metadata: Record<string, unknown> = {}
    await using server = await startProtectedResource({
      issuers: () => [authorization.issuer],
      verify: () => undefined,
      metadata,
    })
    metadata.resource = resource?.startsWith('/') ? `${server.origin}${resource}` : resource
    await using egress = createEgress({ policy: { mode: 'any' } })
    const failure = discover({
      serverUrl: new URL(server.url),
      requests: createOAuthRequests({ egress }, new AbortController().signal),
      clock: systemClock,
      resourceMetadataUrl: undefined,
      preferred: [],
    })
    expect((await failureOf(failure)).message).toMatch(/is for another resource$/)
    expect(authorization.requests).toEqual([])
  })

  test('may be for a place above the server, and is spelled as it spells itself', async () => {
    const metadata: Record<string, unknown> = {}
    await using world = await startOAuthWorld({ resource: { metadata } })
    metadata.resource = world.resource.origin
    expect((await find(world)).resource).toBe(world.resource.origin)
  })

  test('may name several authorization servers: the one in use stays', async () => {
    await using second = await startAuthorizationServer()
    const issuers = ['javascript:alert(1)']
    await using world = await startOAuthWorld({ resource: { issuers: () => issuers } })
    issuers.push(world.authorization.issuer, second.issuer)
    const first = await find(world)
    expect(first.authorization_server.issuer).toBe(world.authorization.issuer)
    const kept = await find(world, { preferred: [second.issuer] })
    expect(kept.authorization_server.issuer).toBe(second.issuer)
  })

  test('that cannot be had just now is no reason to look elsewhere', async () => {
    await using world = await startOAuthWorld()
    world.resource.intercept = () => ({ status: 503 })
    expect(await failureOf(find(world))).toMatchObject({ kind: 'unavailable', retryable: true })
    world.resource.intercept = () => 'cut'
    expect(await failureOf(find(world))).toMatchObject({ kind: 'network', retryable: true })
  })
})

describe('the metadata of an authorization server', () => {
  test.for([
    ['', false, ['/.well-known/oauth-authorization-server']],
    ['', true, ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
    ['/tenant', false, ['/.well-known/oauth-authorization-server/tenant']],
    [
      '/tenant',
      true,
      [
        '/.well-known/oauth-authorization-server/tenant',
        '/.well-known/openid-configuration/tenant',
        '/tenant/.well-known/openid-configuration',
      ],
    ],
  ] as const)('of issuer path "%s", OpenID %s', async ([path, isOpenId, places]) => {
    await using world = await startOAuthWorld({ authorization: { path, isOpenId } })
    const { authorization_server } = await find(world)
    expect(authorization_server.token_endpoint).toBe(`${world.authorization.origin}${path}/token`)
    expect(paths(world.authorization)).toEqual(places)
  })

  test('may follow a redirect', async () => {
    await using world = await startOAuthWorld({ authorization: { path: '/moved' } })
    const from = '/.well-known/oauth-authorization-server/moved'
    world.authorization.intercept = ({ path, query }) =>
      path === from && !query.has('here') ? redirectTo(`${from}?here`) : undefined
    expect((await find(world)).authorization_server.issuer).toBe(world.authorization.issuer)
  })

  const redirectTo = (location: string) => ({ status: 302, headers: { location } })

  test('may lack the slash that the server writes at the end of its issuer', async () => {
    const issuers: string[] = []
    await using world = await startOAuthWorld({ resource: { issuers: () => issuers } })
    issuers.push(`${world.authorization.issuer}/`)
    expect((await find(world)).authorization_server.issuer).toBe(world.authorization.issuer)
  })

  test.for([
    ['another issuer', { issuer: 'https://honest.example' }, /is of another issuer$/],
    ['no issuer', { issuer: undefined }, /is of another issuer$/],
    ['no token endpoint', { token_endpoint: undefined }, /token_endpoint/],
  ] as const)('with %s is not used', async ([, metadata, message]) => {
    await using world = await startOAuthWorld({ authorization: { metadata } })
    const error = await failureOf(find(world))
    expect(error).toMatchObject({ kind: 'protocol', retryable: false })
    expect(error.message).toMatch(message)
  })

  test('that is nowhere ends it: nothing is guessed', async () => {
    await using world = await startOAuthWorld()
    world.authorization.intercept = () => ({ status: 404 })
    const error = await failureOf(find(world))
    expect(error.message).toMatch(/says nothing of itself$/)
  })

  test('that is no JSON counts as nowhere', async () => {
    await using world = await startOAuthWorld({ authorization: { isOpenId: true } })
    world.authorization.intercept = ({ path }) =>
      path.includes('oauth-') ? { body: '<html>our page for everything</html>' } : undefined
    expect((await find(world)).authorization_server.issuer).toBe(world.authorization.issuer)
  })

  test('that cannot be had just now may be tried again', async () => {
    await using world = await startOAuthWorld()
    world.authorization.intercept = () => ({ status: 502 })
    expect(await failureOf(find(world))).toMatchObject({ kind: 'unavailable', retryable: true })
  })

  test('of more than 64 KiB is not read', async () => {
    await using world = await startOAuthWorld()
    world.authorization.intercept = () => ({ body: { pad: 'x'.repeat(70_000) } })
    expect((await failureOf(find(world))).kind).toBe('too_large')
  })

  test('with keys made to confuse parsers brings nothing in', async () => {
    await using world = await startOAuthWorld()
    const text = `{"__proto__":{"polluted":1},"\\\\u":1,"issuer":"x"}`
    world.authorization.intercept = () => ({ body: text })
    await failureOf(find(world))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('a server of 2025-03-26', () => {
  test('authorizes by itself, at the places that revision names', async () => {
    await using server = await startProtectedResource({
      issuers: () => [],
      verify: () => undefined,
      place: 'nowhere',
    })
    await using egress = createEgress({ policy: { mode: 'any' } })
    const { authorization_server, resource } = await discover({
      serverUrl: new URL(server.url),
      requests: createOAuthRequests({ egress }, new AbortController().signal),
      clock: systemClock,
      resourceMetadataUrl: undefined,
      preferred: [],
    })
    expect(resource).toBe(server.url)
    expect(authorization_server).toMatchObject({
      issuer: server.origin,
      authorization_endpoint: `${server.origin}/authorize`,
      token_endpoint: `${server.origin}/token`,
      registration_endpoint: `${server.origin}/register`,
    })
  })
})
