import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createToolset } from '../catalogue/index.ts'
import { defineTool, type OwnTool } from '../define-tool/index.ts'
import { askFor, yes } from './test-asking.ts'
import { admin, startTestHub, toContext } from './test-hub.ts'
import { auditOf } from './test-mall-hub.ts'

const { hub, ...rig } = await startTestHub()
afterAll(() => rig[Symbol.asyncDispose]())

const request = defineTool({
  name: 'http_request',
  description: 'Sends a request.',
  input: z.object({ method: z.string().default('GET'), url: z.string() }),
  annotations: { openWorldHint: true },
  approval: ({ method }) => (['GET', 'HEAD'].includes(method) ? 'allow' : 'ask'),
  run: ({ method }) => `sent ${method}`,
})
const run = (...untrusted: string[]) => ({ run_id: 'r', untrusted: new Set(untrusted) })
const contextOf = (tool: OwnTool, more = {}) =>
  toContext({}, { tools: createToolset([tool]), ...more })
const send = (method: string | undefined, more = {}) =>
  hub.callTool(contextOf(request, more), {
    tool: 'http_request',
    args: { ...(method && { method }), url: 'https://example.com' },
  })
const asks = (why: string) => ({
  status: 'denied',
  error: { code: 'approval_required', message: expect.stringContaining(why) },
})

describe('a tool of our own that asks by its arguments', () => {
  test.each(['GET', 'HEAD', undefined])('%s runs', async (method) => {
    const outcome = await send(method)
    expect(outcome).toMatchObject({ status: 'ok', result: { text: `sent ${method ?? 'GET'}` } })
    const { decided_by } = await auditOf(hub, outcome)
    expect(decided_by).toBe(JSON.stringify({ kind: 'default', why: 'own_tool_by_arguments' }))
  })

  test.each(['POST', 'get', ''])('%j asks, and says why', async (method) => {
    expect(await send(method || 'DELETE')).toMatchObject(asks('with these arguments'))
  })

  test('an ask that is approved runs once', async () => {
    const context = contextOf(request, { approver: { kind: 'wait' } })
    const call = { tool: 'http_request', args: { method: 'PUT', url: 'https://example.com' } }
    const { approval_id, outcome } = await askFor(hub, context, call)
    await hub.approvals.decide(context.principal, approval_id, yes)
    expect(await outcome).toMatchObject({ status: 'ok' })
  })

  test.each([
    ['POST', []],
    ['GET', ['web']],
  ])('a yes to %s is for this call: no wider scope can be given', async (method, untrusted) => {
    const more = { approver: { kind: 'wait' }, session_id: 's1', run: run(...untrusted) }
    const context = contextOf(request, more)
    const call = { tool: 'http_request', args: { method, url: `https://example.com/${method}` } }
    const { approval_id, outcome } = await askFor(hub, context, call)
    for (const scope of ['tool', 'server', 'always'] as const) {
      const decision = hub.approvals.decide(context.principal, approval_id, { ...yes, scope })
      await expect(decision).rejects.toMatchObject({
        ...{
          code: 'invalid_request',
          message: expect.stringContaining('depends on its arguments'),
        },
      })
    }
    await hub.approvals.decide(context.principal, approval_id, { ...yes, scope: 'once' })
    expect(await outcome).toMatchObject({ status: 'ok' })
    expect(hub.policy.rules(context.principal)).toEqual([])
    expect(await send('DELETE')).toMatchObject(asks('with these arguments'))
  })

  test('after untrusted output all of them ask, whatever the arguments', async () => {
    expect(await send('GET', { run: run('web') })).toMatchObject(asks('nobody vouches for'))
    expect(await send('POST', { run: run('web') })).toMatchObject(asks('with these arguments'))
    expect(await send('GET', { run: run() })).toMatchObject({ status: 'ok' })
  })

  test.each([
    ['throws', () => JSON.parse('{')],
    ['gives nonsense', () => 'maybe' as 'allow'],
    ['gives a promise', () => Promise.resolve('allow') as unknown as 'allow'],
  ])('a function that %s asks', async (_what, approval) => {
    const input = z.object({})
    const tool = defineTool({ name: 't', description: 'T.', input, approval, run: () => 'ran' })
    expect(await hub.callTool(contextOf(tool), { tool: 't' })).toMatchObject(asks('approval'))
  })

  test('arguments that do not fit are refused as such, and nobody is asked', async () => {
    const outcome = await hub.callTool(contextOf(request), { tool: 'http_request', args: {} })
    expect(outcome).toMatchObject({ status: 'invalid', error: { code: 'invalid_arguments' } })
  })

  test('is listed, and explained', async () => {
    const context = contextOf(request)
    expect(hub.listTools(context).map(({ sdk_name }) => sdk_name)).toEqual(['http_request'])
    expect(hub.explain(context, 'http_request')).toMatchObject({
      verdict: { status: 'ask', unless_asked: { status: 'allow' } },
      steps: expect.arrayContaining([
        {
          what: { kind: 'default', why: 'own_tool_by_arguments' },
          text: expect.stringContaining('depending on the arguments'),
          decided: true,
        },
      ]),
    })
  })

  test('a call of it is explained by its arguments, and whether they fit', async () => {
    const context = contextOf(request)
    const told = (args: object) =>
      hub.explainCall(context, { tool: 'http_request', args: { ...args } })
    const calm = await told({ method: 'GET', url: 'https://a.example' })
    expect(calm).toMatchObject({ verdict: { status: 'allow' }, arguments: { status: 'ok' } })
    expect(calm?.steps.filter(({ decided }) => decided)).toMatchObject([
      { what: { kind: 'arguments', asks: false } },
    ])
    const asking = await told({ method: 'DELETE', url: 'https://a.example' })
    expect(asking?.verdict).toMatchObject({ status: 'ask' })
    expect(asking?.verdict).not.toHaveProperty('unless_asked')
    expect(await told({ method: 7 })).toMatchObject({
      arguments: {
        status: 'invalid',
        errors: expect.arrayContaining([expect.objectContaining({ path: 'method' })]),
      },
    })
    expect(await hub.explainCall(context, { tool: 'made.up', args: {} })).toBeUndefined()
  })

  test.each(['allow', 'ask'] as const)('a rule that says %s overrides it', async (effect) => {
    const { rule_id } = await hub.policy.addRule(admin, {
      ...{ tier: 'tenant', subject: { kind: 'tenant', id: '*' } },
      ...{ server_id: 'dataagent', tool: 'http_request', effect },
    })
    const statuses = await Promise.all([send('GET'), send('POST')])
    const expected = effect === 'allow' ? 'ok' : 'denied'
    expect(statuses.map(({ status }) => status)).toEqual([expected, expected])
    await hub.policy.removeRule(admin, rule_id)
  })
})
