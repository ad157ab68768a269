import type {
  Approval,
  PendingToolList,
  RegisteredToolsPage,
  ServerInfo,
  ToolsPage,
} from '@dataagent/schema'
import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let mall: HostileHttp
let server_id: string
beforeAll(async () => {
  server = await startTestPlatform()
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  server_id = added.body.server_id
  await waitFor(async () => (await listed('ada')).length === 4, { timeoutMs: 20_000 })
  for (const assistant_id of ['orders', 'other']) {
    const agent = { assistant_id, name: assistant_id, description: 'Orders' }
    const { status, body } = await server.ask('POST', '/agents', { as: 'boss', json: agent })
    if (status !== 201) throw new Error(JSON.stringify(body))
  }
  const entries = [{ server_id, tool: 'echo' }]
  await server.ask('PUT', '/policy/bindings/agent/orders', { as: 'boss', json: { entries } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

async function listed(as: Person, query = '') {
  const { body } = await server.ask<ToolsPage>('GET', `/tools?q=mall${query}`, { as })
  return body.tools.map(({ name }) => name).sort()
}

const call = (json: Record<string, unknown>, as: Person = 'ada') =>
  server.ask('POST', '/tools/call', { as, json })

describe('the list of tools', () => {
  test('has what the caller may call, whether it asks, and why', async () => {
    const { body } = await server.ask<ToolsPage>('GET', '/tools?q=MALL&limit=2')
    expect(body).toMatchObject({ limit: 2, offset: 0, total: 4 })
    expect(body.tools).toHaveLength(2)
    const all = await server.ask<ToolsPage>('GET', '/tools?q=mall')
    const verdicts = Object.fromEntries(all.body.tools.map((tool) => [tool.name, tool.verdict]))
    expect(verdicts).toMatchObject({ echo: 'allow', count: 'ask' })
    for (const tool of all.body.tools) expect(tool.why).not.toBe('')
  })

  test('of one server has none of the others', async () => {
    const of = (id: string) => server.ask<ToolsPage>('GET', `/tools?server_id=${id}`)
    const names = (await of(server_id)).body.tools.map(({ name }) => name)
    expect(names.sort()).toEqual(['count', 'echo', 'slow', 'touch'])
    expect((await of('nothing')).body).toMatchObject({ tools: [], total: 0 })
  })

  test('of an assistant has what that is bound to [A2.1]', async () => {
    expect(await listed('ada', '&assistant_id=orders')).toEqual(['echo'])
    expect(await listed('ada', '&assistant_id=other')).toHaveLength(4)
    expect((await server.ask('GET', '/tools?assistant_id=nobody')).status).toBe(404)
  })

  test('of an assistant has the tools that it brings itself, and why they may run', async () => {
    const find = (query: string) =>
      server.ask<ToolsPage>('GET', `/tools?q=read_file&${query}`).then(({ body }) => body.tools)
    expect(await find('')).toEqual([])
    expect(await find('assistant_id=default')).toMatchObject([{ name: 'read_file' }])
    const json = { tool: 'read_file', assistant_id: 'default' }
    const { body } = await server.ask('POST', '/tools/explain', { json })
    expect(body).toMatchObject({ verdict: { status: 'allow' } })
  })

  test('of another tenant has none of these [A2.3]', async () => {
    expect(await listed('zoe')).toEqual([])
  })
})

describe('a call by hand', () => {
  test('gives the outcome', async () => {
    const { status, body } = await call({ tool: 'mall.echo', args: { message: 'hello' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ok', result: { text: 'hello' } })
  })

  test('of a tool that the agent is not bound to is 403 tool_not_allowed, and is in the audit; other bindings stay [A2.2]', async () => {
    const refused = await call({ tool: 'mall.count', assistant_id: 'orders' })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ error_code: 'tool_not_allowed' })
    const { trace_id } = refused.body.details as { trace_id: string }
    const found = await waitFor(async () => {
      const path = `/audit/calls?trace_id=${trace_id}`
      const { body } = await server.ask<{ calls: object[] }>('GET', path, { as: 'boss' })
      return body.calls[0]
    })
    expect(found).toMatchObject({ status: 'denied', agent_id: 'orders', source: 'try_it' })
    expect(await listed('ada', '&assistant_id=other')).toContain('count')
    expect(mall.notes('effect')).toEqual([])
  })

  test('of a tool that is not theirs is answered as one that there is not [A2.3]', async () => {
    const told = async (tool: string, as: Person) => {
      const { status, body } = await call({ tool }, as)
      const { call_id, trace_id, ...details } = body.details as Record<string, unknown>
      return JSON.stringify({ status, ...body, details }).replaceAll(tool, 'X')
    }
    expect(await told('mall.echo', 'zoe')).toBe(await told('made.up', 'zoe'))
  })

  test('names the arguments that do not fit', async () => {
    const { status, body } = await call({ tool: 'mall.echo', args: { message: 1 } })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'invalid_arguments', details: { errors: [{}] } })
  })

  test('that must be asked for is refused where nobody waits, and runs once when a person has approved [A2.2]', async () => {
    const alone = await call({ tool: 'mall.count' })
    expect(alone).toMatchObject({ status: 403, body: { error_code: 'approval_required' } })
    const asked = { tool: 'mall.count', wait_for_approval: true, tool_call_id: 'by-hand-1' }
    const waiting = call(asked)
    const approval = await waitFor(async () => {
      const { body } = await server.ask<{ approvals: Approval[] }>(
        ...(['GET', '/approvals?status=pending'] as const),
      )
      return body.approvals[0]
    })
    expect(approval).toMatchObject({ tool_call_id: 'by-hand-1' })
    const path = `/approvals/${approval.approval_id}/decide`
    const json = { type: 'approve' }
    expect((await server.ask('POST', path, { as: 'bob', json })).status).toBe(404)
    expect((await server.ask('POST', path, { json })).status).toBe(200)
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(mall.notes('effect')).toHaveLength(1)
  })

  test('is not for auditors', async () => {
    expect((await call({ tool: 'mall.echo' }, 'eve')).status).toBe(403)
  })
})

test('calls of a tenant that are held for a person keep nobody else out', async () => {
  await using small = await startTestPlatform({ config: { max_requests: 6 } })
  const json = { config: { name: 'mall', url: mall.url } }
  const added = await small.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  const { server_id } = added.body
  await small.platform.hub.whenOffered({ tenant_id: 'acme', server_id })
  const leaving = new AbortController()
  const hold = (as: Person) => {
    const asked = { tool: 'mall.count', wait_for_approval: true }
    return small.ask('POST', '/tools/call', { as, json: asked, signal: leaving.signal })
  }
  const held = (['ada', 'bob', 'boss'] as const).map((as) => hold(as).catch(() => 'left'))
  const pending = async () => {
    const path = '/approvals?status=pending'
    const { body } = await small.ask<{ approvals: object[] }>('GET', path, { as: 'boss' })
    return body.approvals.length
  }
  await waitFor(async () => (await pending()) === 3)
  expect(await hold('ada')).toMatchObject({ status: 429, body: { error_code: 'rate_limited' } })
  for (const as of ['ada', 'zoe'] as const)
    expect((await small.ask('GET', '/tools', { as })).status).toBe(200)
  leaving.abort()
  expect(await Promise.all(held)).toEqual(['left', 'left', 'left'])
})

describe('an explanation', () => {
  const explain = (json: Record<string, unknown>, as: Person = 'ada') =>
    server.ask('POST', '/tools/explain', { as, json })

  test('says what decides for the caller', async () => {
    const { body } = await explain({ tool: 'mall.count' })
    expect(body).toMatchObject({ verdict: { status: 'ask' }, tool: { name: 'count' } })
  })

  test('of a call says which arguments do not fit, and calls nothing', async () => {
    const before = mall.notes('effect').length
    const fit = await explain({ tool: 'mall.echo', args: { message: 'hi' } })
    expect(fit.body).toMatchObject({ verdict: { status: 'allow' }, arguments: { status: 'ok' } })
    const { body } = await explain({ tool: 'mall.echo', args: { message: 1 } })
    expect(body).toMatchObject({
      verdict: { status: 'allow' },
      arguments: { status: 'invalid', errors: [{ path: 'message' }] },
    })
    expect(mall.notes('effect')).toHaveLength(before)
    const foreign = await explain({ tool: 'mall.echo', args: { message: 1 } }, 'zoe')
    expect(foreign.status).toBe(404)
  })

  test('of a refusal is for administrators [A2.3]', async () => {
    const asked = { tool: 'mall.count', assistant_id: 'orders' }
    expect((await explain(asked)).status).toBe(404)
    expect((await explain({ ...asked, user_id: 'bob' })).status).toBe(404)
    const { body } = await explain({ ...asked, user_id: 'bob' }, 'boss')
    expect(body).toMatchObject({ verdict: { status: 'deny', by: { kind: 'not_bound' } } })
  })
})

describe('the registry', () => {
  const registry = (query: string, as: Person = 'boss') =>
    server.ask<RegisteredToolsPage>('GET', `/tools/registry${query}`, { as })

  test('has every tool of the tenant, with its risk, what decides and what it takes', async () => {
    const { body } = await registry(`?server_id=${server_id}`)
    expect(body.total).toBe(4)
    expect(body.tools.find(({ name }) => name === 'count')).toMatchObject({
      ...{ server_name: 'mall', scope: 'tenant', user_id: null, offer: { status: 'offered' } },
      ...{ verdict: 'ask', by: { kind: 'default', why: 'destructive_annotation' } },
    })
    for (const { tokens } of body.tools) expect(tokens).toBeGreaterThan(5)
    const own = await registry('?q=read_result')
    expect(own.body.tools).toMatchObject([{ scope: 'platform', verdict: 'allow' }])
  })

  test('has those of users’ own servers and those held back, by text and by state', async () => {
    const json = { name: 'adas', url: mall.url, quarantine: true }
    const added = await server.ask<ServerInfo>('POST', '/users/ada/mcp-servers', { json })
    expect(added.body.scope).toBe('user')
    await server.ask('POST', `/mcp-servers/${added.body.server_id}/reconnect`, { json: {} })
    const held = await waitFor(async () => {
      const { body } = await registry('?q=adas&offer=withheld&limit=2')
      return body.total === 4 ? body : undefined
    })
    expect(held.tools.map(({ name }) => name)).toEqual(['count', 'echo'])
    expect(held.tools[1]).toMatchObject({
      ...{ scope: 'user', user_id: 'ada', offer: { why: 'quarantined' } },
      by: { kind: 'default', why: 'users_server' },
    })
    expect((await registry('?q=adas&offer=offered')).body.total).toBe(0)
    expect((await registry('?q=adas', 'max')).body.total).toBe(0)
    expect((await registry('', 'ada')).status).toBe(403)
    expect((await server.ask('DELETE', '/users/ada/mcp-servers/adas')).status).toBe(204)
  })
})

describe('a definition that has changed', () => {
  test('waits with its difference for the one who manages the server', async () => {
    await using drifting = await startHostileHttp('none')
    const json = { config: { name: 'drifting', url: drifting.url, quarantine: true } }
    const { body } = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
    const pending = async (as: Person) => {
      const answer = await server.ask<PendingToolList>('GET', '/tools/pending', { as })
      return answer.body.tools.filter(({ tool }) => tool.server_id === body.server_id)
    }
    await waitFor(async () => (await pending('boss')).length === 4)
    for (const as of ['ada', 'max', 'operator'] as const) expect(await pending(as)).toEqual([])
    const echo = (await pending('boss')).find(({ tool }) => tool.name === 'echo')
    const version = echo?.pending.version ?? 0
    const decide = (change: object, as: Person = 'boss') =>
      server.ask('POST', '/tools/decide', {
        as,
        json: {
          ...{ server_id: body.server_id, name: 'echo', version, decision: 'approve' },
          ...change,
        },
      })
    expect((await decide({}, 'ada')).status).toBe(404)
    expect((await decide({ version: version + 1 })).status).toBe(409)
    expect((await decide({})).status).toBe(204)
    expect((await decide({ name: 'touch', decision: 'reject' })).status).toBe(204)
    expect((await pending('boss')).map(({ tool }) => tool.name).sort()).toEqual(['count', 'slow'])
    const tools = await server.ask<ToolsPage>('GET', '/tools?q=drifting')
    expect(tools.body.tools.map(({ name }) => name)).toEqual(['echo'])
  })
})
