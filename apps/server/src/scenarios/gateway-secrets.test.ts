import type { CallsPage, ToolGroupWithKey } from '@dataagent/schema'
import {
  createCanary,
  createConsent,
  createDifyProfile,
  expectNoCanary,
  type HostileHttp,
  scanForCanaries,
  startHostileHttp,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let mall: HostileHttp
beforeAll(async () => {
  const config = { allowed_addresses: ['127.0.0.1'], gateway_hold_seconds: 0 }
  server = await startTestPlatform({ config })
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  const { body } = await server.ask('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: String(body.server_id) })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

async function makeGroup(): Promise<ToolGroupWithKey> {
  const json = { name: 'A shop to be scanned', tools: [{ server_id: 'mall', tool: '*' }] }
  return (await server.ask<ToolGroupWithKey>('POST', '/mcp-groups', { as: 'boss', json })).body
}

/** Asks the JSON-RPC endpoint as its own profile does: with credentials among the parameters. */
async function askJsonRpc(method: string, params: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/v1/mcp/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { result?: { sessionToken?: string } }
}

async function everythingWritten() {
  await server.platform.hub.audit.flush()
  const [calls, approvals, changes, metrics, groups] = await Promise.all([
    server.ask<CallsPage>('GET', '/audit/calls?limit=200', { as: 'boss' }),
    server.ask('GET', '/approvals?limit=200', { as: 'boss' }),
    server.ask('GET', '/audit/changes?limit=200', { as: 'boss' }),
    server.ask('GET', '/metrics', { as: 'operator' }),
    server.ask('GET', '/mcp-groups', { as: 'boss' }),
  ])
  const answers = [calls, approvals, changes, metrics, groups].map(({ body }) => body)
  return {
    ...{ calls: calls.body.calls, approvals: JSON.stringify(approvals.body) },
    sinks: [
      { name: 'log', object: server.records },
      { name: 'answers', object: answers },
      { directory: server.dir },
    ],
  }
}

test('keys, codes and tokens of the gateway are in no log, list, record or file [E6.2] [E6.1]', async () => {
  const { group, key } = await makeGroup()
  const secrets = [key]
  const { result } = await askJsonRpc('initialize', { apiKey: key })
  const sessionToken = `${result?.sessionToken}`
  secrets.push(sessionToken)
  await askJsonRpc('tools/call', { name: 'touch', arguments: {}, sessionToken })
  await askJsonRpc('tools/list', {}, { authorization: `Bearer ${sessionToken}` })
  for (const url of Object.values(group.urls)) {
    let ended = ''
    const authorize = async (page: string) => (ended = await createConsent({ key })(page))
    const dify = createDifyProfile({ url, authorize })
    await dify.callTool('echo', { message: 'hello' })
    const { access_token, refresh_token } = dify.tokens!
    secrets.push(access_token, `${refresh_token}`, `${new URL(ended).searchParams.get('code')}`)
  }
  expect(
    (await server.ask('POST', `/mcp-groups/${group.group_id}/key/copy`, { as: 'boss' })).body,
  ).toEqual({ key })
  expect(secrets).toHaveLength(11)
  const { calls, sinks } = await everythingWritten()
  expect(calls).toHaveLength(4)
  await expectNoCanary(secrets, sinks)
  // The scan sees what is there: the group is in answers and in the database.
  expect((await scanForCanaries([group.group_id], sinks)).length).toBeGreaterThan(1)
})

test('wrong credentials are not written either, wherever a client puts them [E6.2]', async () => {
  const wrong = createCanary('wrong')
  for (const bad of [`mk_${wrong.marker}`, `st_${wrong.marker}`, wrong.marker]) {
    await askJsonRpc('initialize', { apiKey: bad })
    await askJsonRpc('tools/list', { sessionToken: bad })
    await askJsonRpc('tools/list', {}, { authorization: `Bearer ${bad}` })
    for (const path of ['/mcp', '/mcp/v1/sse', `/mcp?token=${bad}`, `/mcp?apiKey=${bad}`])
      await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${bad}` } })
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'c',
      refresh_token: bad,
    })
    await fetch(`${server.url}/mcp/oauth/token`, { method: 'POST', body })
  }
  await expectNoCanary([wrong], (await everythingWritten()).sinks)
})

test('what tools are called with is masked by name at every depth [E6.2]', async () => {
  const { group, key } = await makeGroup()
  const canary = createCanary('argument')
  const names = ['Authorization', 'apiKey', 'token', 'sessionToken']
  const hidden = Object.fromEntries(names.map((name) => [name, `secret-${canary.marker}`]))
  const args = { ...hidden, order: { id: 'order-0042', ...hidden, list: [hidden] } }
  const { streamable_http: url } = group.urls
  const dify = createDifyProfile({ url, headers: { Authorization: `Bearer ${key}` } })
  await dify.callTool('touch', args)
  // Held, so that a person is shown what it is called with.
  await dify.callTool('count', args).catch(() => {})
  const { approvals, sinks } = await everythingWritten()
  expect(approvals).toContain('order-0042')
  await expectNoCanary([canary], sinks)
})
