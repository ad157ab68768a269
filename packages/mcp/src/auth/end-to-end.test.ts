import type { RpcMessage } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openClient } from '../client/open-client.ts'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import type { Authorizer } from './contract.ts'
import { failureOf, type OAuthWorld, signInOf, startOAuthWorld } from './test-oauth.ts'

const tools = ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } }))
const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'guarded', version: '1' },
  },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
}

/** An MCP server that lets anyone read who has signed in, and write who may write. */
const resource = {
  answer: ({ method = '' }: RpcMessage) => results[method],
  scopeFor: ({ params }: RpcMessage) => (params?.name === 'write' ? 'write' : 'read'),
}

async function open({ resource, egress }: OAuthWorld, authorizer: Authorizer) {
  const { url } = resource
  const createTransport = () => createHttpTransport({ url, egress, authorizer })
  const { client } = await openClient({ createTransport })
  return client
}

async function openSignedIn(world: OAuthWorld) {
  const authorizer = world.createAuthorizer()
  const { authorizationUrl } = await signInOf(open(world, authorizer))
  await authorizer.finish(await world.authorization.visit(authorizationUrl))
  return { authorizer, client: await open(world, authorizer) }
}

describe('an MCP server behind OAuth, over HTTP', () => {
  test('is opened once a person has signed in, and then does its work', async () => {
    await using world = await startOAuthWorld({ resource })
    const { client } = await openSignedIn(world)
    await using _ = client
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['read', 'write'])
    expect(await client.callTool('read')).toMatchObject(results['tools/call'] ?? {})
  })

  test('that refuses its tokens in the middle of 200 calls makes one refresh, and no call fails', async () => {
    await using world = await startOAuthWorld({ resource })
    const { client } = await openSignedIn(world)
    await using _ = client
    await client.callTool('read')
    world.clock.advance(60_000)
    const first = Array.from({ length: 100 }, () => client.callTool('read'))
    world.authorization.revokeAll('access')
    const second = Array.from({ length: 100 }, () => client.callTool('read'))
    const done = await Promise.all([...first, ...second])
    expect(done).toHaveLength(200)
    expect(world.authorization.grants('refresh_token')).toBe(1)
  })

  test('that wants more for one tool gets it by another sign-in, on the same connection', async () => {
    await using world = await startOAuthWorld({ resource })
    const { client, authorizer } = await openSignedIn(world)
    await using _ = client
    const { authorizationUrl } = await signInOf(client.callTool('write'))
    await client.callTool('read')
    await authorizer.finish(await world.authorization.visit(authorizationUrl))
    expect(await client.callTool('write')).toMatchObject(results['tools/call'] ?? {})
    expect(await client.callTool('read')).toMatchObject(results['tools/call'] ?? {})
  })

  test('is closed to whoever has signed out', async () => {
    await using world = await startOAuthWorld({ resource })
    const { client, authorizer } = await openSignedIn(world)
    await using _ = client
    await authorizer.signOut()
    const before = world.resource.accepted()
    expect((await failureOf(client.callTool('read'))).kind).toBe('sign_in')
    expect(world.resource.accepted()).toBe(before)
  })

  test('whose authorization server is away fails calls for now, and works again later', async () => {
    await using world = await startOAuthWorld({ resource })
    const { client } = await openSignedIn(world)
    await using _ = client
    world.clock.advance(60_000)
    world.authorization.revokeAll('access')
    world.authorization.intercept = () => 'cut'
    const error = await failureOf(client.callTool('read'))
    expect(error).toMatchObject({ kind: 'network', retryable: true, mayHaveRun: false })
    world.authorization.intercept = undefined
    expect(await client.callTool('read')).toMatchObject(results['tools/call'] ?? {})
  })
})
