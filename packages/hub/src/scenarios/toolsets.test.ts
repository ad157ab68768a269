import type { ExecutionEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CallContext } from '../call-context.ts'
import { createToolset } from '../catalogue/index.ts'
import { defineTool } from '../define-tool/index.ts'
import { askFor, yes } from './test-asking.ts'
import { startTestHub, tenant_id, toContext } from './test-hub.ts'

const giving = (name: string, text: string, approval: 'allow' | 'ask' = 'allow') =>
  defineTool({
    name,
    description: `Gives ${text}.`,
    input: z.object({}),
    approval,
    run: () => text,
  })

const names = (entries: readonly { sdk_name: string }[]) => entries.map((entry) => entry.sdk_name)

test('tools that a caller brings are its own: no other sees or calls them', async () => {
  await using place = await startTestHub()
  const { hub } = place
  const ours = toContext({}, { tools: createToolset([giving('note', 'one')]) })
  const theirs = toContext({}, { tools: createToolset([giving('note', 'two')]) })
  expect(names(hub.listTools(ours))).toEqual(['note'])
  expect(hub.listTools(ours)).toBe(hub.listTools(ours))
  expect(names(hub.listTools(toContext()))).toEqual([])
  for (const tool of ['note', 'dataagent/note', { server_id: 'dataagent', name: 'note' }]) {
    expect(await hub.callTool(ours, { tool })).toMatchObject({ result: { text: 'one' } })
    expect(await hub.callTool(theirs, { tool })).toMatchObject({ result: { text: 'two' } })
    expect(await hub.callTool(toContext(), { tool })).toMatchObject({
      status: 'denied',
      error: { code: 'tool_not_allowed' },
    })
  }
})

test('a brought tool needs no allow-list, and obeys rules, approvals and the tenant', async () => {
  let features = ['*']
  await using place = await startTestHub({ features: { featuresOf: () => features } })
  const { hub, admin } = place
  await hub.policy.setAllowList(admin, { kind: 'agent', id: 'a' }, [])
  const tools = createToolset([giving('note', 'one'), giving('act', 'done', 'ask')])
  const context = toContext({ agent_id: 'a' }, { tools })
  expect(await hub.callTool(context, { tool: 'note' })).toMatchObject({ status: 'ok' })
  expect(await hub.callTool(context, { tool: 'act' })).toMatchObject({
    status: 'denied',
    error: { code: 'approval_required' },
  })
  await hub.policy.addRule(admin, {
    tier: 'tenant',
    subject: { kind: 'tenant', id: tenant_id },
    server_id: 'dataagent',
    tool: 'note',
    effect: 'deny',
  })
  expect(names(hub.listTools(context))).toEqual(['act'])
  expect(await hub.callTool(context, { tool: 'note' })).toMatchObject({ status: 'denied' })
  features = ['mcp']
  expect(names(hub.listTools(context))).toEqual([])
})

test('a yes to a brought tool holds in its session, and for no other agent', async () => {
  await using place = await startTestHub()
  const { hub, admin } = place
  const withTool = (text: string, agent_id: string, more: Partial<CallContext>) =>
    toContext({ agent_id }, { tools: createToolset([giving('publish', text, 'ask')]), ...more })
  const context = withTool('one', 'a', { session_id: 's1', approver: { kind: 'wait' } })
  const { approval_id, outcome } = await askFor(hub, context, { tool: 'publish' })
  for (const scope of ['server', 'always'] as const) {
    const decision = hub.approvals.decide(admin, approval_id, { ...yes, scope })
    await expect(decision).rejects.toMatchObject({ code: 'invalid_request' })
  }
  const ada = toContext().principal
  await hub.approvals.decide(ada, approval_id, { ...yes, scope: 'tool' })
  expect(await outcome).toMatchObject({ status: 'ok' })
  const again = withTool('one', 'a', { session_id: 's1' })
  expect(await hub.callTool(again, { tool: 'publish' })).toMatchObject({ status: 'ok' })
  const other = withTool('two', 'b', { session_id: 's2' })
  expect(await hub.callTool(other, { tool: 'publish' })).toMatchObject({ status: 'denied' })
})

test('a tool tells its run what people should see', async () => {
  await using place = await startTestHub()
  const event: ExecutionEvent = { event_type: 'todo_update', timestamp: 1, todos: [] }
  const plan = defineTool({
    name: 'plan',
    description: 'Plans.',
    input: z.object({}),
    run: (_, { emit, tool_call_id }) => {
      emit?.(event)
      return tool_call_id
    },
  })
  const told: ExecutionEvent[] = []
  const context = toContext({}, { tools: createToolset([plan]), emit: (it) => told.push(it) })
  const outcome = await place.hub.callTool(context, { tool: 'plan', tool_call_id: 'c1' })
  expect(outcome).toMatchObject({ result: { text: 'c1' } })
  expect(told).toEqual([event])
})

test('two tools of one name are no toolset', () => {
  expect(() => createToolset([giving('a', '1'), giving('a', '2')])).toThrow('two tools named a')
})
