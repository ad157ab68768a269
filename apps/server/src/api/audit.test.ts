import type { CallRecord } from '@dataagent/hub'
import type { CallsPage, CallsTally, ChangesPage, ServerInfo } from '@dataagent/schema'
import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const formula = '=HYPERLINK("http://evil.example","x")'

let server: TestPlatform
let mall: HostileHttp
beforeAll(async () => {
  server = await startTestPlatform()
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  const call = (as: Person, tool: string) =>
    server.ask('POST', '/tools/call', { as, json: { tool, args: { message: 'hi' } } })
  for (const as of ['ada', 'ada', 'bob'] as const) await call(as, 'mall.echo')
  await call('ada', 'mall.touch')
  await call('ada', formula)
  await call('zoe', 'made.up')
  await server.platform.hub.audit.flush()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

const calls = async (as: Person, query = '') =>
  (await server.ask<CallsPage>('GET', `/audit/calls?${query}`, { as })).body.calls

describe('calls', () => {
  test('one sees their own; an administrator and an auditor those of the tenant', async () => {
    expect(await calls('ada')).toHaveLength(4)
    expect(await calls('bob')).toHaveLength(1)
    expect(await calls('boss')).toHaveLength(5)
    expect(await calls('eve')).toHaveLength(5)
    expect(await calls('max')).toHaveLength(1)
    expect(await calls('bob', 'user_id=ada')).toEqual([])
  })

  test('are found by every filter, and come in pages', async () => {
    const [newest] = await calls('boss')
    if (!newest) throw new Error('no calls')
    const { trace_id, call_id, started_at } = newest
    expect(await calls('boss', `trace_id=${trace_id}`)).toEqual([newest])
    expect(await calls('boss', `call_id=${call_id}`)).toEqual([newest])
    expect(await calls('boss', 'user_id=bob')).toHaveLength(1)
    expect(await calls('boss', 'tool_name=touch')).toHaveLength(1)
    expect(await calls('boss', 'server_id=mall&status=ok')).toHaveLength(4)
    expect(await calls('boss', 'status=denied')).toHaveLength(1)
    expect(await calls('boss', `to=${started_at}&from=${started_at}`)).toContainEqual(newest)
    for (const none of ['session_id=s1', 'agent_id=a1', 'from=9999999999999', 'to=1'])
      expect(await calls('boss', none)).toEqual([])
    const page = await server.ask<CallsPage>('GET', '/audit/calls?limit=2&offset=2', { as: 'boss' })
    expect(page.body).toMatchObject({ limit: 2, offset: 2, more: true })
    expect((await server.ask('GET', '/audit/calls?status=odd')).status).toBe(400)
  })
})

test('calls are counted by user and by group, of those that the reader may see [E9.1]', async () => {
  const tally = async (as: Person, query: string) =>
    (await server.ask<CallsTally>('GET', `/audit/calls/tally?${query}`, { as })).body.rows
  expect(await tally('boss', 'by=user_id')).toMatchObject([
    { key: 'ada', calls: 4, failed: 1 },
    { key: 'bob', calls: 1, failed: 0 },
  ])
  expect(await tally('bob', 'by=user_id')).toMatchObject([{ key: 'bob', calls: 1 }])
  expect(await tally('boss', 'by=group_id')).toMatchObject([{ key: null, calls: 5 }])
  expect(await tally('boss', 'by=group_id&group_id=shop')).toEqual([])
  const minutes = await tally('boss', 'by=minute')
  expect(minutes.reduce((sum, { calls }) => sum + calls, 0)).toBe(5)
  expect(minutes[0]).toMatchObject({ key: expect.stringMatching(/^\d{4}-.*T\d\d:\d\dZ$/) })
  expect(minutes.map(({ status }) => status)).toContain('ok')
  expect(await tally('boss', 'by=minute&from=0')).toEqual(minutes)
  const inTwoDays = Date.now() + 2 * 24 * 3_600_000
  expect(await tally('boss', `by=minute&from=0&to=${inTwoDays}`)).toEqual([])
  expect(await tally('boss', `by=user_id&from=0&to=${inTwoDays}`)).toHaveLength(2)
  const yesterday = Date.now() - 2 * 24 * 3_600_000
  expect(await tally('boss', `by=minute&to=${yesterday}`)).toEqual([])
  expect((await server.ask('GET', '/audit/calls/tally?by=tool_name')).status).toBe(400)
})

describe('the export', () => {
  const path = '/audit/calls/export'

  test('as NDJSON has one record a line, all that fit', async () => {
    const { headers, body } = await server.ask<string>('GET', `${path}?user_id=ada`, { as: 'eve' })
    expect(headers.get('content-type')).toContain('application/x-ndjson')
    const lines = String(body).trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as CallRecord)
    expect(records.map(({ user_id }) => user_id)).toEqual(['ada', 'ada', 'ada', 'ada'])
  })

  test('as CSV holds no formula that a spreadsheet would run', async () => {
    const { headers, body } = await server.ask<string>('GET', `${path}?format=csv`, { as: 'boss' })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="calls.csv"')
    expect(body.split('\r\n')[0]).toContain('call_id,tenant_id,trace_id')
    expect(body).toContain(`"'${formula.replaceAll('"', '""')}"`)
    expect(body).not.toMatch(/(^|,)"?[=+@-]HYPERLINK/m)
  })

  test('of others is not for a user', async () => {
    const { body } = await server.ask<string>('GET', path, { as: 'bob' })
    expect(String(body).trim().split('\n')).toHaveLength(1)
  })

  test('goes through all pages without losing or repeating a call', async () => {
    const { hub } = server.platform
    const principal = { tenant_id: 'acme', user_id: 'many', role: 'user' } as const
    const context = { principal, source: 'sdk', approver: { kind: 'nobody' } } as const
    const tools = Array.from({ length: 1_300 }, (_, at) => `made.up.${at}`)
    await Promise.all(tools.map((tool) => hub.callTool(context, { tool })))
    await hub.audit.flush()
    const { body } = await server.ask<string>('GET', `${path}?user_id=many`, { as: 'boss' })
    const names = String(body)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as CallRecord).tool_name)
    expect(names).toHaveLength(1_300)
    expect(new Set(names).size).toBe(1_300)
  })
})

describe('changes', () => {
  const changes = (as: Person, query = '') =>
    server.ask<ChangesPage>('GET', `/audit/changes?${query}`, { as })

  test('say who changed what; users do not see them', async () => {
    const { body } = await changes('eve', 'kind=server')
    expect(body.changes).toMatchObject([{ user_id: 'boss', action: 'added', target: 'mall' }])
    expect((await changes('max', 'kind=server')).body.changes).toEqual([])
    expect((await changes('ada')).status).toBe(403)
  })

  test('of the platform are for those who manage it', async () => {
    const json = { templates: [{ name: 'date', command: '/bin/date', args: [] }] }
    await server.ask('PUT', '/mcp-servers/templates', { as: 'operator', json })
    const { body } = await changes('operator', 'platform=true&kind=setting')
    const after = expect.stringContaining('/bin/date')
    expect(body.changes).toMatchObject([
      { target: 'command_templates', user_id: 'operator', after },
    ])
    expect((await changes('eve', 'platform=true')).status).toBe(403)
  })
})

test('the record is whole, and says so to those who may ask', async () => {
  const verify = (as: Person) => server.ask('POST', '/audit/verify', { as })
  const report = await waitFor(async () => (await verify('eve')).body)
  expect(report).toMatchObject({ ok: true, faults: [] })
  expect((await verify('ada')).status).toBe(403)
})

test('an auditor reads, and changes nothing', async () => {
  const tries = [
    ['POST', '/mcp-servers', { config: { name: 'x', url: 'http://127.0.0.1:9' } }],
    ['POST', '/users/eve/mcp-servers', { name: 'x', url: 'http://127.0.0.1:9' }],
    ['POST', '/mcp-servers/test', { config: { name: 'x', url: 'http://127.0.0.1:9' } }],
    ['POST', '/tools/call', { tool: 'mall.echo' }],
    ['PUT', '/policy/bindings/user/ada', { entries: [] }],
    ['POST', '/policy/rules', {}],
    ['PATCH', '/tenants/acme', { name: 'Mine' }],
    ['DELETE', '/mcp-servers/mall', undefined],
  ] as const
  for (const [method, path, json] of tries) {
    const { status } = await server.ask(method, path, { as: 'eve', json })
    expect([method, path, status]).toEqual([method, path, 403])
  }
})
