import type { EvaluationReport } from '@dataagent/schema'
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
  ['GET /me/grants?limit=5', ({ identity }) => identity.grants({ limit: 5 })],
  ['DELETE /me/grants/r1', ({ identity }) => identity.endGrant('r1')],
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
  ['GET /sessions/s1/feedback', ({ sessions }) => sessions.feedback('s1')],
  ['PUT /sessions/s1/turns/4/feedback', (c) => c.sessions.rate('s1', 4, { rating: 'up' })],
  ['DELETE /sessions/s1/turns/4/feedback', ({ sessions }) => sessions.unrate('s1', 4)],
  ['GET /feedback?rating=down', ({ feedback }) => feedback.list({ rating: 'down' })],
  ['POST /sessions/s1/fork', ({ sessions }) => sessions.fork('s1')],
  ['GET /sessions/s1/context', ({ sessions }) => sessions.context('s1')],
  ['POST /sessions/s1/compact', ({ sessions }) => sessions.compact('s1')],
  [
    'GET /sessions/s1/export?format=markdown',
    (c) => c.sessions.export('s1', { format: 'markdown' }),
  ],
  ['GET /runs?all=true', ({ runs }) => runs.list({ all: 'true' })],
  ['GET /agents', ({ agents }) => agents.list()],
  ['GET /agents?all=true', ({ agents }) => agents.listAll()],
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
  ['GET /evaluations/datasets?limit=5', (c) => c.evaluations.datasets({ limit: 5 })],
  [
    'POST /evaluations/datasets',
    (c) => c.evaluations.createDataset({ name: 'D', questions: [aQuestion] }),
  ],
  ['POST /evaluations/datasets/import', (c) => c.evaluations.importDataset({ text: '[]' })],
  ['GET /evaluations/datasets/d1', ({ evaluations }) => evaluations.dataset('d1')],
  [
    'PUT /evaluations/datasets/d1',
    (c) => c.evaluations.updateDataset('d1', { name: 'D', questions: [aQuestion] }),
  ],
  ['DELETE /evaluations/datasets/d1', ({ evaluations }) => evaluations.deleteDataset('d1')],
  ['GET /evaluations/datasets/d1/export', ({ evaluations }) => evaluations.exportDataset('d1')],
  ['GET /evaluations/runs?all=true', ({ evaluations }) => evaluations.runs({ all: 'true' })],
  ['POST /evaluations/runs', ({ evaluations }) => evaluations.start({ dataset_id: 'd1' })],
  ['POST /evaluations/runs/upload', ({ evaluations }) => evaluations.upload(aReport)],
  ['GET /evaluations/runs/r1', ({ evaluations }) => evaluations.run('r1')],
  ['POST /evaluations/runs/r1/cancel', ({ evaluations }) => evaluations.cancel('r1')],
  ['POST /evaluations/runs/r1/resume', ({ evaluations }) => evaluations.resume('r1')],
  ['DELETE /evaluations/runs/r1', ({ evaluations }) => evaluations.delete('r1')],
  [
    'GET /evaluations/runs/r1/trials?status=failed',
    (c) => c.evaluations.trials('r1', { status: 'failed' }),
  ],
  ['GET /evaluations/runs/r1/report?format=json', ({ evaluations }) => evaluations.report('r1')],
  [
    'GET /evaluations/runs/r1/report?format=html&lang=zh',
    (c) => c.evaluations.exportReport('r1', { format: 'html', lang: 'zh' }),
  ],
  [
    'GET /evaluations/runs/r1/comparison?baseline=r0',
    (c) => c.evaluations.compare('r1', { baseline: 'r0' }),
  ],
  ['GET /data/sources', ({ data }) => data.sources()],
  [
    'POST /data/sources',
    (c) => c.data.createSource({ name: 'S', location: { kind: 'sqlite', path: '/a.db' } }),
  ],
  ['PATCH /data/sources/s1', ({ data }) => data.updateSource('s1', { enabled: false })],
  ['DELETE /data/sources/s1', ({ data }) => data.deleteSource('s1')],
  ['POST /data/sources/s1/check', ({ data }) => data.checkSource('s1')],
  ['GET /data/sources/s1/notes', ({ data }) => data.notes('s1')],
  ['PUT /data/sources/s1/notes', ({ data }) => data.setNotes('s1', { tables: {} })],
  ['GET /data/sources/s1/tables?names=a%2Cb', (c) => c.data.tables('s1', { names: 'a,b' })],
  ['GET /data/definitions', ({ data }) => data.definitions()],
  [
    'PUT /data/definitions/d1',
    ({ data }) => data.putDefinition('d1', { term: 'revenue', meaning: 'what was paid' }),
  ],
  ['DELETE /data/definitions/d1', ({ data }) => data.deleteDefinition('d1')],
  ['GET /data/questions?verified=true', ({ data }) => data.questions({ verified: 'true' })],
  ['PUT /data/questions/u1', ({ data }) => data.putQuestion('u1', aDataQuestion)],
  ['DELETE /data/questions/u1', ({ data }) => data.deleteQuestion('u1')],
  ['POST /data/questions/u1/run', ({ data }) => data.runQuestion('u1')],
  ['POST /data/queries', ({ data }) => data.run({ source: 'S', sql: 'SELECT 1' })],
  ['GET /data/queries/y1', ({ data }) => data.query('y1')],
  ['GET /data/queries/y1/rows?offset=200', ({ data }) => data.rows('y1', { offset: 200 })],
  ['GET /data/queries/y1/export?format=xlsx', (c) => c.data.export('y1', { format: 'xlsx' })],
  [
    'GET /data/queries/y1/chart.svg?spec=%7B%22type%22%3A%22number%22%2C%22y%22%3A%5B%22a%22%5D%7D&theme=dark',
    ({ data }) => data.chart('y1', { chart: { type: 'number', y: ['a'] }, theme: 'dark' }),
  ],
  ['GET /sessions/s1/queries', ({ data }) => data.ofSession('s1')],
  ['GET /data/queries?user_id=ana', ({ data }) => data.log({ user_id: 'ana' })],
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
  ['POST /mcp-servers/m1/test', (c) => c.servers.testStored('m1')],
  ['GET /mcp-servers/m1/health', ({ servers }) => servers.health('m1')],
  ['GET /mcp-servers/m1/credentials', (c) => c.servers.credentials('m1')],
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
  ['GET /workspaces', ({ files }) => files.workspaces()],
  ['GET /tools/registry', ({ tools }) => tools.registry()],
  ['GET /users', ({ users }) => users.list()],
  ['POST /users', ({ users }) => users.create({ user_id: 'ana', name: 'Ana' })],
  ['GET /users/ana', ({ users }) => users.get('ana')],
  ['PATCH /users/ana', ({ users }) => users.update('ana', { disabled: true })],
  [
    'PATCH /users/ana?tenant_id=acme',
    ({ users }) => users.update('ana', { disabled: true }, { tenant_id: 'acme' }),
  ],
  ['POST /users/ana/sign-out', ({ users }) => users.signOut('ana')],
  ['GET /users/ana/api-keys', ({ apiKeys }) => apiKeys.list('ana')],
  ['POST /users/ana/api-keys', ({ apiKeys }) => apiKeys.create('ana', { name: 'ci' })],
  ['POST /users/ana/api-keys/k1/rotate', ({ apiKeys }) => apiKeys.rotate('ana', 'k1')],
  ['DELETE /users/ana/api-keys/k1', ({ apiKeys }) => apiKeys.delete('ana', 'k1')],
  [
    'POST /users/ana/api-keys?tenant_id=acme',
    ({ apiKeys }) => apiKeys.create('ana', { name: 'ci' }, { tenant_id: 'acme' }),
  ],
  [
    'DELETE /users/ana/api-keys/k1?tenant_id=acme',
    ({ apiKeys }) => apiKeys.delete('ana', 'k1', { tenant_id: 'acme' }),
  ],
  ['GET /tenants', ({ tenants }) => tenants.list()],
  ['POST /tenants', ({ tenants }) => tenants.create({ tenant_id: 't1', name: 'T' })],
  ['GET /tenants/t1', ({ tenants }) => tenants.get('t1')],
  ['PATCH /tenants/t1', ({ tenants }) => tenants.update('t1', { max_users: null })],
  ['DELETE /tenants/t1', ({ tenants }) => tenants.delete('t1')],
  ['GET /tenants/t1/export', ({ tenants }) => tenants.export('t1')],
  ['GET /tenants/t1/usage', ({ tenants }) => tenants.usage('t1')],
  ['GET /usage?by=model', ({ usage }) => usage.report({ by: 'model' })],
  ['GET /audit/calls?status=denied', ({ audit }) => audit.calls({ status: 'denied' })],
  ['GET /audit/calls/export?format=csv', ({ audit }) => audit.exportCalls({ format: 'csv' })],
  ['GET /audit/calls/tally?by=group_id', ({ audit }) => audit.tally({ by: 'group_id' })],
  ['GET /audit/changes', ({ audit }) => audit.changes()],
  ['POST /audit/verify', ({ audit }) => audit.verify()],
  ['GET /memory?assistant_id=a1', ({ memory }) => memory.list({ assistant_id: 'a1' })],
  ['GET /memory/export', ({ memory }) => memory.export()],
  ['DELETE /memory', ({ memory }) => memory.clear()],
  ['DELETE /memory/f1?assistant_id=a1', (c) => c.memory.forget('f1', { assistant_id: 'a1' })],
  ['GET /files?path=a', ({ files }) => files.list({ path: 'a' })],
  ['GET /files/content?path=a%2Fb.txt', ({ files }) => files.read('a/b.txt')],
  [
    'PUT /files/content?path=a&replace=false',
    ({ files }) => files.write('a', 'text', { replace: false }),
  ],
  ['PUT /files/content?path=a', ({ files }) => files.write('a', 'text')],
  ['DELETE /files?path=a', ({ files }) => files.delete('a')],
  ['GET /workspace', ({ files }) => files.workspace()],
  ['GET /health', ({ operations }) => operations.health()],
  ['GET /ready', ({ operations }) => operations.ready()],
  ['GET /metrics', ({ operations }) => operations.metrics()],
  ['GET /settings', ({ operations }) => operations.settings()],
  ['GET /openapi.json', ({ operations }) => operations.openapi()],
]

const aQuestion = { question_id: 'q1', question: 'How many?' }
const aDataQuestion = { source_id: 's1', question: 'How many?', sql: 'SELECT 1' }
const aReport = {} as EvaluationReport
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
