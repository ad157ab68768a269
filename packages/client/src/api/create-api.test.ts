import { expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { sendJson, startHttpServer } from '../http/test-http-server.ts'

type Client = ReturnType<typeof createClient>

/** Every route of the server, and the method that calls it. */
const routes: [string, (client: Client) => Promise<unknown>][] = [
  ['GET /me', ({ identity }) => identity.me()],
  ['GET /sign-in/methods', ({ identity }) => identity.methods()],
  ['POST /sign-in', ({ identity }) => identity.signIn('k')],
  ['POST /sign-out', ({ identity }) => identity.signOut()],
  ['POST /chat', ({ chat }) => chat.send({ message: 'hi' })],
  ['POST /chat?stream=true', ({ chat }) => first(chat.stream({ message: 'hi' }))],
  ['POST /chat/s1/cancel', ({ chat }) => chat.cancel('s1')],
  ['POST /chat/s1/resume', ({ chat }) => chat.resume('s1')],
  ['POST /chat/s1/resume?stream=true', ({ chat }) => first(chat.resumeStream('s1'))],
  ['GET /sessions?limit=5&q=%E8%AE%A2', ({ sessions }) => sessions.list({ limit: 5, q: '订' })],
  ['POST /sessions', ({ sessions }) => sessions.create()],
  ['GET /sessions/s1', ({ sessions }) => sessions.get('s1')],
  ['PATCH /sessions/s1', ({ sessions }) => sessions.update('s1', { auto_approve: true })],
  ['DELETE /sessions/s1', ({ sessions }) => sessions.delete('s1')],
  ['GET /sessions/s1/messages', ({ sessions }) => sessions.messages('s1')],
  ['GET /sessions/s1/events?after_seq=3', (c) => c.sessions.events('s1', { after_seq: 3 })],
  ['GET /sessions/s1/runs', ({ sessions }) => sessions.runs('s1')],
  ['POST /sessions/s1/fork', ({ sessions }) => sessions.fork('s1')],
  [
    'GET /sessions/s1/export?format=markdown',
    (c) => c.sessions.export('s1', { format: 'markdown' }),
  ],
  ['GET /runs?all=true', ({ runs }) => runs.list({ all: 'true' })],
  ['GET /agents', ({ agents }) => agents.list()],
  ['POST /agents', ({ agents }) => agents.create({ assistant_id: 'a1', name: 'A' })],
  ['GET /agents/a1', ({ agents }) => agents.get('a1')],
  ['PUT /agents/a1', ({ agents }) => agents.update('a1', { enabled: false })],
  ['DELETE /agents/a1', ({ agents }) => agents.delete('a1')],
  ['GET /models', ({ models }) => models.list()],
  ['GET /model-providers', (c) => c.modelProviders.list()],
  [
    'POST /model-providers',
    (c) => c.modelProviders.create({ provider_id: 'p1', name: 'P', kind: 'openai', models: ['m'] }),
  ],
  ['PUT /model-providers/p1', (c) => c.modelProviders.update('p1', { enabled: true })],
  ['DELETE /model-providers/p1', (c) => c.modelProviders.delete('p1')],
  ['POST /model-providers/p1/test', (c) => c.modelProviders.test('p1')],
  ['GET /approvals?status=pending', ({ approvals }) => approvals.list({ status: 'pending' })],
  ['GET /approvals/a1', ({ approvals }) => approvals.get('a1')],
  ['POST /approvals/a1/decide', ({ approvals }) => approvals.decide('a1', { type: 'approve' })],
  ['POST /approvals/a1/reask', ({ approvals }) => approvals.reask('a1')],
  ['POST /approvals/a1/hand-over', ({ approvals }) => approvals.handOver('a1', 'ben')],
  ['GET /tools', ({ tools }) => tools.list()],
  ['POST /tools/call', ({ tools }) => tools.call({ tool: 'mall.order' })],
  ['POST /tools/explain', ({ tools }) => tools.explain({ tool: 'mall.order' })],
  ['GET /tools/pending', ({ tools }) => tools.pending()],
  [
    'POST /tools/decide',
    (c) => c.tools.decide({ server_id: 'm', name: 'o', version: 2, decision: 'approve' }),
  ],
  ['GET /users/ana/mcp-servers', (c) => c.userServers.list('ana')],
  ['POST /users/ana/mcp-servers', (c) => c.userServers.create('ana', { name: 'm', command: 'x' })],
  ['GET /users/ana/mcp-servers/my%20mall', (c) => c.userServers.get('ana', 'my mall')],
  ['PUT /users/ana/mcp-servers/m', (c) => c.userServers.update('ana', 'm', { command: 'x' })],
  ['DELETE /users/ana/mcp-servers/m', (c) => c.userServers.delete('ana', 'm')],
  ['GET /mcp-servers', ({ servers }) => servers.list()],
  ['POST /mcp-servers', (c) => c.servers.create({ config: { name: 'm', command: 'x' } })],
  ['GET /mcp-servers/m1', ({ servers }) => servers.get('m1')],
  ['PUT /mcp-servers/m1', ({ servers }) => servers.update('m1', { command: 'x' })],
  ['DELETE /mcp-servers/m1', ({ servers }) => servers.delete('m1')],
  ['POST /mcp-servers/import', ({ servers }) => servers.import('{}')],
  ['POST /mcp-servers/test', (c) => c.servers.test({ config: { name: 'm', command: 'x' } })],
  ['POST /mcp-servers/m1/reconnect', ({ servers }) => servers.reconnect('m1')],
  ['POST /mcp-servers/m1/refresh', ({ servers }) => servers.refresh('m1')],
  ['GET /mcp-servers/m1/status', ({ servers }) => servers.status('m1')],
  ['PUT /mcp-servers/m1/credentials', (c) => c.servers.setCredentials('m1', { env: { A: 'b' } })],
  ['DELETE /mcp-servers/m1/credentials', ({ servers }) => servers.deleteCredentials('m1')],
  ['GET /mcp-servers/m1/sign-in', ({ servers }) => servers.signInStatus('m1')],
  ['POST /mcp-servers/m1/sign-in', ({ servers }) => servers.beginSignIn('m1')],
  ['DELETE /mcp-servers/m1/sign-in', ({ servers }) => servers.signOut('m1')],
  ['GET /mcp-servers/templates', ({ servers }) => servers.templates()],
  ['PUT /mcp-servers/templates', ({ servers }) => servers.setTemplates({ templates: [] })],
  ['GET /mcp-groups', ({ toolGroups }) => toolGroups.list()],
  ['POST /mcp-groups', ({ toolGroups }) => toolGroups.create({ name: 'G', tools: [] })],
  ['GET /mcp-groups/g1', ({ toolGroups }) => toolGroups.get('g1')],
  ['PATCH /mcp-groups/g1', ({ toolGroups }) => toolGroups.update('g1', { enabled: false })],
  ['DELETE /mcp-groups/g1', ({ toolGroups }) => toolGroups.delete('g1')],
  ['POST /mcp-groups/g1/key/copy', ({ toolGroups }) => toolGroups.copyKey('g1')],
  ['POST /mcp-groups/g1/key/rotate', ({ toolGroups }) => toolGroups.rotateKey('g1')],
  ['DELETE /mcp-groups/g1/key', ({ toolGroups }) => toolGroups.revokeKey('g1')],
  ['GET /mcp-groups/g1/grants?limit=5', (c) => c.toolGroups.grants('g1', { limit: 5 })],
  ['DELETE /mcp-groups/g1/grants/r1', ({ toolGroups }) => toolGroups.revokeGrant('g1', 'r1')],
  ['GET /policy/bindings/agent/*', (c) => c.policy.binding({ kind: 'agent', subject_id: '*' })],
  ['PUT /policy/bindings/agent/a1', (c) => c.policy.bind({ kind: 'agent', subject_id: 'a1' }, [])],
  ['DELETE /policy/bindings/agent/a1', (c) => c.policy.unbind({ kind: 'agent', subject_id: 'a1' })],
  ['GET /policy/rules', ({ policy }) => policy.rules()],
  [
    'POST /policy/rules',
    ({ policy }) => policy.addRule({ ...target, tier: 'user', effect: 'ask' }),
  ],
  ['DELETE /policy/rules/r1', ({ policy }) => policy.deleteRule('r1')],
  ['GET /policy/limits', ({ policy }) => policy.limits()],
  ['POST /policy/limits', (c) => c.policy.addLimit({ ...target, max_calls: 1, window_ms: 1 })],
  ['DELETE /policy/limits/l1', ({ policy }) => policy.deleteLimit('l1')],
  ['GET /users', ({ users }) => users.list()],
  ['POST /users', ({ users }) => users.create({ user_id: 'ana', name: 'Ana' })],
  ['GET /users/ana', ({ users }) => users.get('ana')],
  ['PATCH /users/ana', ({ users }) => users.update('ana', { disabled: true })],
  ['POST /users/ana/sign-out', ({ users }) => users.signOut('ana')],
  ['GET /users/ana/api-keys', ({ apiKeys }) => apiKeys.list('ana')],
  ['POST /users/ana/api-keys', ({ apiKeys }) => apiKeys.create('ana', { name: 'ci' })],
  ['POST /users/ana/api-keys/k1/rotate', ({ apiKeys }) => apiKeys.rotate('ana', 'k1')],
  ['DELETE /users/ana/api-keys/k1', ({ apiKeys }) => apiKeys.delete('ana', 'k1')],
  ['GET /tenants', ({ tenants }) => tenants.list()],
  ['POST /tenants', ({ tenants }) => tenants.create({ tenant_id: 't1', name: 'T' })],
  ['GET /tenants/t1', ({ tenants }) => tenants.get('t1')],
  ['PATCH /tenants/t1', ({ tenants }) => tenants.update('t1', { max_users: null })],
  ['GET /tenants/t1/usage', ({ tenants }) => tenants.usage('t1')],
  ['GET /usage?by=model', ({ usage }) => usage.report({ by: 'model' })],
  ['GET /audit/calls?status=denied', ({ audit }) => audit.calls({ status: 'denied' })],
  ['GET /audit/calls/export?format=csv', ({ audit }) => audit.exportCalls({ format: 'csv' })],
  ['GET /audit/changes', ({ audit }) => audit.changes()],
  ['POST /audit/verify', ({ audit }) => audit.verify()],
  ['GET /memory?assistant_id=a1', ({ memory }) => memory.list({ assistant_id: 'a1' })],
  ['GET /memory/export', ({ memory }) => memory.export()],
  ['DELETE /memory', ({ memory }) => memory.clear()],
  ['DELETE /memory/f1?assistant_id=a1', (c) => c.memory.forget('f1', { assistant_id: 'a1' })],
  ['GET /files?path=a', ({ files }) => files.list({ path: 'a' })],
  ['GET /files/content?path=a%2Fb.txt', ({ files }) => files.read('a/b.txt')],
  ['PUT /files/content?path=a', ({ files }) => files.write('a', 'text')],
  ['DELETE /files?path=a', ({ files }) => files.delete('a')],
  ['GET /workspace', ({ files }) => files.workspace()],
  ['GET /health', ({ operations }) => operations.health()],
  ['GET /ready', ({ operations }) => operations.ready()],
  ['GET /metrics', ({ operations }) => operations.metrics()],
  ['GET /settings', ({ operations }) => operations.settings()],
  ['GET /openapi.json', ({ operations }) => operations.openapi()],
]

const target = { subject: { kind: 'user', id: 'ana' }, server_id: 'm', tool: '*' } as const

test.each(routes)('%s', async (route, call) => {
  await using server = await startHttpServer((response) =>
    sendJson(response, 404, { error_code: 'not_found', message: 'There is no such thing.' }),
  )
  const error = await call(createClient(server)).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ status: 404, error_code: 'not_found' })
  const called = server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1', '')}`)
  expect(called).toEqual([route])
})

test('bytes are written as they are and answers without a body are taken', async () => {
  const info = { path: 'a', kind: 'file', size: 3, modified_at: 1 }
  await using server = await startHttpServer((response, { method }) => {
    if (method === 'PUT') sendJson(response, 200, info)
    else response.writeHead(204).end()
  })
  const { files } = createClient(server)
  expect(await files.write('a', new Uint8Array([97, 98, 99]))).toEqual(info)
  expect(await files.delete('a')).toBeUndefined()
  expect(server.requests[0]).toMatchObject({
    ...{ body: 'abc', headers: { 'content-type': 'application/octet-stream' } },
  })
})

async function first(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of stream) return event
  return undefined
}
