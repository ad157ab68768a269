import type { PendingToolList, ServerInfo, ToolsPage } from '@dataagent/schema'
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

  test('of an assistant has what that is bound to [A2.1]', async () => {
    expect(await listed('ada', '&assistant_id=orders')).toEqual(['echo'])
    expect(await listed('ada', '&assistant_id=other')).toHaveLength(4)
    expect((await server.ask('GET', '/tools?assistant_id=nobody')).status).toBe(404)
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
    const waiting = call({ tool: 'mall.count', wait_for_approval: true })
    const approval = await waitFor(async () => {
      const { body } = await server.ask<{ approvals: { approval_id: string }[] }>(
        ...(['GET', '/approvals?status=pending'] as const),
      )
      return body.approvals[0]
    })
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

describe('an explanation', () => {
  const explain = (json: Record<string, unknown>, as: Person = 'ada') =>
    server.ask('POST', '/tools/explain', { as, json })

  test('says what decides for the caller', async () => {
    const { body } = await explain({ tool: 'mall.count' })
    expect(body).toMatchObject({ verdict: { status: 'ask' }, tool: { name: 'count' } })
  })

  test('of a refusal is for administrators [A2.3]', async () => {
    const asked = { tool: 'mall.count', assistant_id: 'orders' }
    expect((await explain(asked)).status).toBe(404)
    expect((await explain({ ...asked, user_id: 'bob' })).status).toBe(404)
    const { body } = await explain({ ...asked, user_id: 'bob' }, 'boss')
    expect(body).toMatchObject({ verdict: { status: 'deny', by: { kind: 'not_bound' } } })
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
