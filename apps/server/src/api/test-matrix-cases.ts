import { randomUUID } from 'node:crypto'
import { waitFor } from '@dataagent/testkit'
import { keyOf, type Person, type TestPlatform } from '../testing/test-platform.ts'
import { aReport } from '../testing/test-report.ts'
import { dataCases } from './test-matrix-data.ts'

/** What the requests of the matrix are made over. */
export interface MatrixRig {
  /** With an MCP server `mall` for all of acme, whose tools ask before they run. */
  server: TestPlatform
  /** Of boss, by which one may act for users of acme. */
  actingKey: string
}

/**
 * One request to a route. `of` is whose the thing is that it speaks of: every caller's own or
 * nobody's, all of acme's, or ada's alone.
 */
export interface MatrixCase {
  of: 'all' | 'acme' | 'ada'
  /** Whether administrators of acme may do it with what is ada's. Else it is not there for them. */
  managed?: true
  /** Where the thing is, made anew for each call that changes it. */
  path?(rig: MatrixRig): Promise<string>
  /** What follows the path. */
  query?: string
  json?(rig: MatrixRig): unknown | Promise<unknown>
  body?: string
  /** Statuses of those who may, where it is not one of success or of what the request lacks. */
  may?: number[]
  /** What a caller gets where the declared access does not say it. */
  but?: Partial<Record<Person, number>>
  /** Who acts for a user may not do it for them. */
  notActing?: true
  /** Two answers differ also where nothing was changed in between. */
  varies?: true
  /** Ends the callers' cookies. */
  signsOut?: true
}

const unused = 'http://127.0.0.1:9/mcp'
const fresh = () => `m-${randomUUID().slice(0, 13)}`

/** Asks for something to be made, and gives a part of the answer. */
async function made(
  { server }: MatrixRig,
  [as, path, json]: [Person, string, unknown],
  part: string,
): Promise<string> {
  const { status, body } = await server.ask('POST', path, { as, json })
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return String(body[part])
}

const session = (rest = '') => ({
  of: 'ada' as const,
  path: async (rig: MatrixRig) =>
    `/sessions/${await made(rig, ['ada', '/sessions', {}], 'session_id')}${rest}`,
})
const chat = (rest: string) => ({
  of: 'ada' as const,
  path: async (rig: MatrixRig) =>
    `/chat/${await made(rig, ['ada', '/sessions', {}], 'session_id')}${rest}`,
})
const feedback = () => ({
  of: 'ada' as const,
  path: async ({ server }: MatrixRig) => {
    const json = { message: 'Hello' }
    const { body } = await server.ask('POST', '/chat', { as: 'ada', json })
    return `/sessions/${body.session_id}/turns/1/feedback`
  },
})
const questions = [{ question_id: 'q1', question: 'How many orders?' }]
const dataset = (rest = '') => ({
  of: 'acme' as const,
  path: async (rig: MatrixRig) => {
    const json = { name: fresh(), questions }
    return `${datasets}/${await made(rig, ['ada', datasets, json], 'dataset_id')}${rest}`
  },
})
const datasets = '/evaluations/datasets'
/** What ada has run elsewhere: bob does not see it, who manages or audits acme does. */
const evaluation = (rest = '') => ({
  ...{ of: 'ada' as const, managed: true as const, but: { eve: 200 } },
  path: async (rig: MatrixRig) => `/evaluations/runs/${await uploaded(rig)}${rest}`,
})
async function uploaded(rig: MatrixRig): Promise<string> {
  return made(rig, ['ada', '/evaluations/runs/upload', aReport({ run_id: fresh() })], 'run_id')
}
const agent = () => ({
  of: 'acme' as const,
  path: async (rig: MatrixRig) => {
    const json = { assistant_id: fresh(), name: 'Agent' }
    return `/agents/${await made(rig, ['boss', '/agents', json], 'assistant_id')}`
  },
})
const newProvider = () => ({
  ...{ provider_id: fresh(), name: 'P', kind: 'openai', models: ['m'] },
  base_url: 'http://127.0.0.1:9/v1',
})
const provider = (rest = '') => ({
  of: 'acme' as const,
  path: async (rig: MatrixRig) => {
    const id = await made(rig, ['boss', '/model-providers', newProvider()], 'provider_id')
    return `/model-providers/${id}${rest}`
  },
})
const ownServer = () => ({
  ...{ of: 'ada' as const, managed: true as const },
  path: async (rig: MatrixRig) => {
    const json = { name: fresh(), url: unused, disabled: true }
    return `/users/ada/mcp-servers/${await made(rig, ['ada', '/users/ada/mcp-servers', json], 'name')}`
  },
})
const ownServerById = (rest: string) => ({
  of: 'ada' as const,
  path: async (rig: MatrixRig) => {
    const json = { name: fresh(), url: unused, disabled: true }
    const id = await made(rig, ['ada', '/users/ada/mcp-servers', json], 'server_id')
    return `/mcp-servers/${id}${rest}`
  },
})
const newShared = () => ({ config: { name: fresh(), url: unused, disabled: true } })
const shared = (rest = '') => ({
  of: 'acme' as const,
  path: async (rig: MatrixRig) =>
    `/mcp-servers/${await made(rig, ['boss', '/mcp-servers', newShared()], 'server_id')}${rest}`,
})
const newGroup = () => ({ group_id: fresh(), name: 'Group', tools: [] })
const group = (rest = '') => ({
  of: 'acme' as const,
  async path({ server }: MatrixRig) {
    const json = newGroup()
    await server.ask('POST', '/mcp-groups', { as: 'boss', json })
    return `/mcp-groups/${json.group_id}${rest}`
  },
})
const newRule = (id: string) => ({
  ...{ tier: 'user', subject: { kind: 'user', id }, server_id: '*', tool: fresh(), effect: 'deny' },
})
const newLimit = () => ({
  ...{ subject: { kind: 'tenant', id: '*' }, server_id: '*', tool: fresh() },
  ...{ max_calls: 1000, window_ms: 60_000 },
})
const key = (rest = '') => ({
  ...{ of: 'ada' as const, managed: true as const, notActing: true as const },
  path: async (rig: MatrixRig) => {
    const id = await made(rig, ['ada', '/users/ada/api-keys', { name: 'k' }], 'key_id')
    return `/users/ada/api-keys/${id}${rest}`
  },
})
/** What a client was given in a group of acme. */
async function grantOf({ server }: MatrixRig, group_id: string): Promise<string> {
  const { tables, clock } = server.platform
  const [grant_id, now] = [fresh(), clock.now()]
  await tables.gateway.grants.create({
    ...{ grant_id, tenant_id: 'acme', group_id, group_made_at: now, user_id: 'ada', key_id: null },
    ...{ user_key_id: null, client_id: 'c', client_name: 'C', resource: server.url },
    ...{ scope: 'mcp:read', profile: 'standard', refresh_hash: fresh(), previous_hash: null },
    ...{ rotated_at: null, created_at: now, last_used_at: now, revoked_at: null },
    expires_at: now + 3_600_000,
  })
  return grant_id
}
const file = {
  of: 'ada' as const,
  path: async ({ server }: MatrixRig) => {
    const headers = { 'content-type': 'application/octet-stream' }
    const name = `${fresh()}.txt`
    await server.ask('PUT', `/files/content?path=${name}`, { body: 'x', headers })
    return `?path=${name}`
  },
}

/** What waits for a person, of ada. */
async function approvalOf({ server }: MatrixRig): Promise<string> {
  const unlike = randomUUID()
  const json = { tool: 'mall.count', args: { unlike }, wait_for_approval: true }
  // Nobody waits for its end: the test is of who may see and decide it.
  void server.ask('POST', '/tools/call', { json }).catch(() => {})
  const found = await waitFor(async () => {
    const { body } = await server.ask('GET', '/approvals?status=pending&limit=200')
    const rows = body.approvals as { approval_id: string }[]
    return rows.find((row) => JSON.stringify(row).includes(unlike))
  })
  return found.approval_id
}
const approval = (rest = '') => ({
  ...{ of: 'ada' as const, managed: true as const },
  path: async (rig: MatrixRig) => `/approvals/${await approvalOf(rig)}${rest}`,
})
const anyone: MatrixCase = { of: 'all' }
const varying: MatrixCase = { of: 'all', varies: true }

/** Every route of the API by method and path. */
export const matrixCases: Record<string, MatrixCase> = {
  'POST /chat': {
    of: 'ada',
    json: async (rig) => ({
      message: 'Hello',
      session_id: await made(rig, ['ada', '/sessions', {}], 'session_id'),
    }),
  },
  'POST /chat/:session_id/resume': chat('/resume'),
  'POST /chat/:session_id/cancel': chat('/cancel'),
  'GET /sessions': anyone,
  'POST /sessions': { of: 'all', json: () => ({}) },
  'GET /sessions/:session_id': session(),
  'PATCH /sessions/:session_id': { ...session(), json: () => ({ title: 'T' }) },
  'DELETE /sessions/:session_id': session(),
  'POST /sessions/:session_id/fork': { ...session('/fork'), json: () => ({}) },
  'POST /sessions/:session_id/compact': session('/compact'),
  'GET /sessions/:session_id/context': session('/context'),
  'GET /sessions/:session_id/messages': session('/messages'),
  'GET /sessions/:session_id/events': session('/events'),
  'GET /sessions/:session_id/runs': session('/runs'),
  'GET /sessions/:session_id/export': { ...session('/export'), query: '?format=json' },
  'GET /sessions/:session_id/feedback': session('/feedback'),
  'GET /sessions/:session_id/queries': session('/queries'),
  'PUT /sessions/:session_id/turns/:seq/feedback': {
    ...{ ...feedback(), json: () => ({ rating: 'up' }), varies: true },
  },
  'DELETE /sessions/:session_id/turns/:seq/feedback': feedback(),
  'GET /feedback': varying,
  'GET /runs': anyone,
  'GET /evaluations/datasets': anyone,
  'POST /evaluations/datasets': { of: 'all', json: () => ({ name: fresh(), questions }) },
  'POST /evaluations/datasets/import': {
    ...{ of: 'all', json: () => ({ name: fresh(), text: JSON.stringify(questions) }) },
  },
  'GET /evaluations/datasets/:dataset_id': dataset(),
  'GET /evaluations/datasets/:dataset_id/export': dataset('/export'),
  'PUT /evaluations/datasets/:dataset_id': {
    ...{ ...dataset(), json: () => ({ name: fresh(), questions }), but: { bob: 403 } },
  },
  'DELETE /evaluations/datasets/:dataset_id': { ...dataset(), but: { bob: 403 } },
  'GET /evaluations/runs': anyone,
  'POST /evaluations/runs': {
    ...{ of: 'acme', may: [400] },
    // Of no question: a user has only so many runs under way.
    json: async (rig) => ({
      ...{ dataset_id: (await dataset().path(rig)).split('/').at(-1), tags: ['none'] },
    }),
  },
  'POST /evaluations/runs/upload': { of: 'all', json: () => aReport({ run_id: fresh() }) },
  'GET /evaluations/runs/:run_id': evaluation(),
  'DELETE /evaluations/runs/:run_id': { ...evaluation(), but: {} },
  'POST /evaluations/runs/:run_id/cancel': { ...evaluation('/cancel'), but: {} },
  'POST /evaluations/runs/:run_id/resume': {
    ...{ ...evaluation('/resume'), may: [403, 409], but: {} },
  },
  'GET /evaluations/runs/:run_id/trials': evaluation('/trials'),
  'GET /evaluations/runs/:run_id/report': evaluation('/report'),
  'GET /evaluations/runs/:run_id/comparison': {
    ...evaluation(),
    async path(rig) {
      const [earlier, later] = [await uploaded(rig), await uploaded(rig)]
      return `/evaluations/runs/${later}/comparison?baseline=${earlier}`
    },
  },
  ...dataCases,
  'GET /agents': anyone,
  'POST /agents': { of: 'all', json: () => ({ assistant_id: fresh(), name: 'Agent' }) },
  'GET /agents/:assistant_id': agent(),
  'PUT /agents/:assistant_id': { ...agent(), json: () => ({ name: 'Other' }) },
  'DELETE /agents/:assistant_id': agent(),
  'GET /models': anyone,
  'GET /model-providers': anyone,
  'POST /model-providers': { of: 'all', json: newProvider },
  'PUT /model-providers/:provider_id': { ...provider(), json: () => ({ name: 'Q' }) },
  'DELETE /model-providers/:provider_id': provider(),
  'POST /model-providers/:provider_id/test': { ...provider('/test'), json: () => ({ model: 'm' }) },
  'GET /approvals': anyone,
  'GET /approvals/:approval_id': approval(),
  'POST /approvals/:approval_id/decide': {
    ...approval('/decide'),
    json: () => ({ type: 'reject' }),
  },
  'POST /approvals/:approval_id/reask': approval('/reask'),
  'POST /approvals/:approval_id/hand-over': {
    ...approval('/hand-over'),
    json: () => ({ user_id: 'bob' }),
  },
  'GET /tools': anyone,
  'POST /tools/call': { of: 'all', json: () => ({ tool: 'no.such' }), may: [403, 404] },
  'POST /tools/explain': { of: 'all', json: () => ({ tool: 'no.such' }), may: [200, 404] },
  'GET /tools/pending': anyone,
  'GET /tools/registry': anyone,
  'POST /tools/decide': {
    ...{ of: 'all', may: [404] },
    json: () => ({ server_id: 'none', name: 'none', version: 1, decision: 'approve' }),
  },
  'GET /users/:user_id/mcp-servers': {
    ...{ of: 'ada', managed: true, path: async () => '/users/ada/mcp-servers' },
  },
  'POST /users/:user_id/mcp-servers': {
    ...{ of: 'ada', managed: true, path: async () => '/users/ada/mcp-servers' },
    json: () => ({ name: fresh(), url: unused, disabled: true }),
  },
  'GET /users/:user_id/mcp-servers/:server_name': ownServer(),
  'PUT /users/:user_id/mcp-servers/:server_name': {
    ...ownServer(),
    json: () => ({ url: unused, disabled: true }),
  },
  'DELETE /users/:user_id/mcp-servers/:server_name': ownServer(),
  'GET /mcp-servers/templates': anyone,
  'PUT /mcp-servers/templates': { of: 'all', json: () => ({ templates: [] }) },
  'GET /mcp-servers': anyone,
  'POST /mcp-servers': { of: 'all', json: newShared },
  'GET /mcp-servers/:server_id': shared(),
  'PUT /mcp-servers/:server_id': { ...shared(), json: () => ({ url: unused, disabled: true }) },
  'DELETE /mcp-servers/:server_id': shared(),
  'POST /mcp-servers/import': { of: 'all', json: () => ({ text: '{"mcpServers":{}}' }) },
  'POST /mcp-servers/test': { of: 'all', json: () => ({ config: { name: 'x', url: unused } }) },
  'GET /mcp-servers/:server_id/status': shared('/status'),
  'GET /mcp-servers/:server_id/health': { ...shared('/health'), varies: true },
  'POST /mcp-servers/:server_id/reconnect': ownServerById('/reconnect'),
  'POST /mcp-servers/:server_id/test': { ...ownServerById('/test'), varies: true },
  'POST /mcp-servers/:server_id/refresh': ownServerById('/refresh'),
  'GET /mcp-servers/:server_id/credentials': shared('/credentials'),
  'PUT /mcp-servers/:server_id/credentials': {
    ...shared('/credentials'),
    json: () => ({ headers: { 'x-key': 'k' } }),
  },
  'DELETE /mcp-servers/:server_id/credentials': shared('/credentials'),
  'GET /mcp-servers/:server_id/sign-in': ownServerById('/sign-in'),
  'POST /mcp-servers/:server_id/sign-in': { ...ownServerById('/sign-in'), may: [503] },
  'DELETE /mcp-servers/:server_id/sign-in': ownServerById('/sign-in'),
  'GET /oauth/callback': { of: 'all', query: '?state=none&code=none' },
  'GET /oauth/callback/finish': {
    ...{ of: 'all', query: '?state=none&code=none', may: [302, 400, 404] },
  },
  'GET /mcp-groups': anyone,
  'POST /mcp-groups': { of: 'all', json: newGroup },
  'GET /mcp-groups/:group_id': group(),
  'PATCH /mcp-groups/:group_id': { ...group(), json: () => ({ name: 'Other' }) },
  'DELETE /mcp-groups/:group_id': group(),
  'POST /mcp-groups/:group_id/key/copy': group('/key/copy'),
  'POST /mcp-groups/:group_id/key/rotate': { ...group('/key/rotate'), json: () => ({}) },
  'DELETE /mcp-groups/:group_id/key': group('/key'),
  'GET /mcp-groups/:group_id/grants': group('/grants'),
  'DELETE /mcp-groups/:group_id/grants/:grant_id': {
    of: 'acme',
    async path(rig) {
      const path = await group().path(rig)
      const group_id = path.split('/').at(-1)!
      return `${path}/grants/${await grantOf(rig, group_id)}`
    },
  },
  'GET /policy/bindings/:kind/:subject_id': {
    of: 'acme',
    async path({ server }) {
      const path = `/policy/bindings/user/${fresh()}`
      await server.ask('PUT', path, { as: 'boss', json: { entries: [] } })
      return path
    },
  },
  'PUT /policy/bindings/:kind/:subject_id': {
    ...{ of: 'all', path: async () => `/policy/bindings/user/${fresh()}` },
    json: () => ({ entries: [] }),
  },
  // Without an effect where there is none: each tenant has its own subjects.
  'DELETE /policy/bindings/:kind/:subject_id': {
    of: 'all',
    async path({ server }) {
      const path = `/policy/bindings/user/${fresh()}`
      await server.ask('PUT', path, { as: 'boss', json: { entries: [] } })
      return path
    },
  },
  'GET /policy/rules': anyone,
  'POST /policy/rules': {
    ...{ of: 'ada', json: () => newRule('ada') },
    but: { bob: 403, zoe: 403, max: 201, boss: 201, operator: 201 },
  },
  'DELETE /policy/rules/:rule_id': {
    ...{ of: 'ada', managed: true },
    path: async (rig) =>
      `/policy/rules/${await made(rig, ['ada', '/policy/rules', newRule('ada')], 'rule_id')}`,
  },
  'GET /policy/limits': anyone,
  'POST /policy/limits': { of: 'all', json: newLimit },
  'DELETE /policy/limits/:limit_id': {
    of: 'acme',
    path: async (rig) =>
      `/policy/limits/${await made(rig, ['boss', '/policy/limits', newLimit()], 'limit_id')}`,
  },
  'GET /tenants': anyone,
  'POST /tenants': { of: 'all', json: () => ({ tenant_id: fresh(), name: 'T' }) },
  'GET /tenants/:tenant_id': {
    ...{ of: 'acme', path: async () => '/tenants/acme', but: { operator: 200 } },
  },
  'PATCH /tenants/:tenant_id': {
    ...{ of: 'acme', path: async () => '/tenants/acme', but: { operator: 200 } },
    json: () => ({ name: 'Acme' }),
  },
  // What it says of a tenant that holds keys of the settings is that it stays.
  'DELETE /tenants/:tenant_id': {
    ...{ of: 'acme', path: async () => '/tenants/acme', but: { operator: 409 } },
  },
  'GET /tenants/:tenant_id/export': {
    ...{ of: 'acme', path: async () => '/tenants/acme/export', but: { operator: 200 } },
  },
  'GET /tenants/:tenant_id/usage': {
    ...{ of: 'acme', path: async () => '/tenants/acme/usage', but: { operator: 200 } },
  },
  'GET /usage': { ...varying, query: '?by=day' },
  'GET /audit/calls': varying,
  'GET /audit/calls/export': { ...varying, query: '?format=ndjson' },
  'GET /audit/calls/tally': { ...varying, query: '?by=user_id' },
  'GET /audit/changes': varying,
  'POST /audit/verify': anyone,
  'GET /memory': { of: 'all', query: '?assistant_id=default' },
  'DELETE /memory': { of: 'all', query: '?assistant_id=default' },
  'GET /memory/export': anyone,
  'DELETE /memory/:fact_id': {
    ...{ of: 'ada', query: '?assistant_id=default' },
    async path({ server }) {
      const owner = { tenant_id: 'acme', user_id: 'ada', assistant_id: 'default' }
      const fact = { text: `Likes ${fresh()}`, by: 'user' as const }
      return `/memory/${(await server.platform.memory.remember(owner, fact)).fact_id}`
    },
  },
  'GET /workspace': anyone,
  'GET /workspaces': anyone,
  'GET /files': anyone,
  'DELETE /files': { ...file, path: async (rig) => `/files${await file.path(rig)}` },
  'GET /files/content': { ...file, path: async (rig) => `/files/content${await file.path(rig)}` },
  'PUT /files/content': { of: 'all', query: '?path=m.txt', body: 'x' },
  'GET /settings': { of: 'all', but: { boss: 403, max: 403 } },
  'GET /me': varying,
  'GET /me/grants': anyone,
  'DELETE /me/grants/:grant_id': {
    of: 'ada',
    path: async (rig) => `/me/grants/${await grantOf(rig, 'any')}`,
  },
  'POST /sign-in': { of: 'all', json: () => ({ api_key: keyOf('ada') }) },
  'POST /sign-out': { of: 'all', signsOut: true },
  'GET /sign-in/methods': anyone,
  'GET /sign-in/oidc': { of: 'all', may: [302, 404] },
  'GET /sign-in/oidc/callback': { of: 'all', may: [302, 400, 404] },
  'GET /users': anyone,
  'POST /users': { of: 'all', json: () => ({ user_id: fresh(), name: 'U' }) },
  'GET /users/:user_id': {
    ...{ of: 'ada', managed: true, path: async () => '/users/ada', but: { eve: 200 } },
  },
  'PATCH /users/:user_id': {
    ...{ of: 'acme', path: async () => '/users/ada' },
    json: () => ({ name: 'Ada' }),
  },
  'POST /users/:user_id/sign-out': {
    ...{ of: 'ada', managed: true, path: async () => '/users/ada/sign-out', signsOut: true },
  },
  'GET /users/:user_id/api-keys': {
    ...{ of: 'ada', managed: true, path: async () => '/users/ada/api-keys' },
  },
  'POST /users/:user_id/api-keys': {
    ...{ of: 'ada', managed: true, notActing: true, path: async () => '/users/ada/api-keys' },
    json: () => ({ name: 'k' }),
  },
  'POST /users/:user_id/api-keys/:key_id/rotate': key('/rotate'),
  'DELETE /users/:user_id/api-keys/:key_id': key(),
  'GET /health': varying,
  'GET /ready': anyone,
  'GET /metrics': { ...varying, but: { eve: 403, boss: 403, max: 403 } },
  'GET /openapi.json': anyone,
  'GET /docs': anyone,
  'GET /docs.css': anyone,
}
