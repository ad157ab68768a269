import { countingTool, person, startEngine } from '@dataagent/core/engine/test-engine'
import { type Approver, createToolset, defineTool, type NewRule, ownServerId } from '@dataagent/hub'
import type { ExecutionEvent } from '@dataagent/schema'
import { HumanMessage, type ToolMessage } from '@langchain/core/messages'
import { createAgent } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toLangChainModel } from '../models/index.ts'
import { toLangChainTools } from './to-langchain-tools.ts'

const admin = { ...person, role: 'admin' } as const

async function setUp(approver?: Approver, decision?: 'approve' | 'reject') {
  const echo = defineTool({
    ...{ name: 'echo', description: 'Says it again.', input: z.object({ text: z.string() }) },
    run: ({ text }) => `said ${text}`,
  })
  const picture = defineTool({
    ...{ name: 'picture', description: 'Shows one.', input: z.object({}) },
    run: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'AA==' }] }),
  })
  const fail = defineTool({
    ...{ name: 'fail', description: 'Fails.', input: z.object({}) },
    run: () => ({ content: [{ type: 'text', text: 'broken' }], isError: true }),
  })
  const send = countingTool('send', { approval: 'ask' })
  const engine = await startEngine()
  const asked: ExecutionEvent[] = []
  const options = {
    ...{ hub: engine.hub, principal: person, approver, session_id: engine.session_id },
    tools: [echo, picture, fail, send],
    emit(event: ExecutionEvent) {
      asked.push(event)
      if (event.event_type !== 'hitl_request' || !decision) return
      void engine.hub.approvals.decide(person, event.approval_id, { type: decision, message: 'so' })
    },
  }
  return { engine, send, asked, tools: toLangChainTools(options), options }
}

type Scene = Awaited<ReturnType<typeof setUp>>

/** One turn of LangChain's own agent, whose model makes this call. */
async function play({ engine, tools }: Scene, name: string, args: Record<string, unknown>) {
  engine.standIn.script([{ toolCalls: [{ name, arguments: args, id: 'c1' }] }, { text: 'Done.' }])
  const agent = createAgent({ model: toLangChainModel(engine.agent.model), tools })
  const { messages } = await agent.invoke({ messages: [new HumanMessage('Go')] })
  await engine.hub.audit.flush()
  const [row] = await engine.hub.audit.query(admin, { limit: 1, offset: 0 })
  return { message: messages[2] as ToolMessage, last: messages.at(-1)?.text, row }
}

describe("in a graph of LangChain's createAgent [D8.4]", () => {
  test('a tool that is allowed runs, and the audit has it', async () => {
    const scene = await setUp()
    await using _ = scene.engine
    const { message, last, row } = await play(scene, 'echo', { text: 'hi' })
    expect(message).toMatchObject({ content: 'said hi', status: 'success', tool_call_id: 'c1' })
    expect(last).toBe('Done.')
    expect(row).toMatchObject({ tool_name: 'echo', status: 'ok', source: 'sdk', user_id: 'ada' })
    expect(message.artifact).toMatchObject({ status: 'ok', call_id: row?.call_id })
  })

  test('one that asks where nobody can be asked is denied', async () => {
    const scene = await setUp()
    await using _ = scene.engine
    const { message, last, row } = await play(scene, 'send', {})
    expect(message.status).toBe('error')
    expect(JSON.parse(message.text)).toMatchObject({ code: 'approval_required' })
    expect(scene.send.runs).toEqual([])
    expect(last).toBe('Done.')
    expect(row).toMatchObject({ tool_name: 'send', status: 'denied' })
  })

  test('arguments that do not fit are told by field, and noted', async () => {
    const scene = await setUp()
    await using _ = scene.engine
    const { message, row } = await play(scene, 'echo', { text: 1 })
    expect(message.status).toBe('error')
    expect(JSON.parse(message.text)).toMatchObject({
      code: 'invalid_arguments',
      errors: [{ path: 'text', expected: 'a string' }],
    })
    expect(row).toMatchObject({ tool_name: 'echo', status: 'invalid' })
  })

  test.each([
    ['approve', 'success', 1, 'ok'],
    ['reject', 'error', 0, 'rejected'],
  ] as const)('a person who is asked may %s it', async (decision, status, runs, noted) => {
    const scene = await setUp({ kind: 'wait' }, decision)
    await using _ = scene.engine
    const { message, row } = await play(scene, 'send', { value: 'x' })
    expect(message.status).toBe(status)
    expect(scene.send.runs).toHaveLength(runs)
    expect(scene.asked).toMatchObject([{ event_type: 'hitl_request' }])
    expect(row).toMatchObject({ status: noted, approval_id: expect.any(String) })
    if (decision === 'reject') expect(message.text).toContain('A person rejected this call: so')
  })

  test('a rule of the policy takes a tool away, also after the graph was made', async () => {
    const scene = await setUp()
    await using _ = scene.engine
    const { policy } = scene.engine.hub
    const about = { subject: { kind: 'tenant', id: '*' }, server_id: ownServerId, tool: 'echo' }
    await policy.addRule(admin, { tier: 'tenant', effect: 'deny', ...about } as NewRule)
    const { message } = await play(scene, 'echo', { text: 'hi' })
    expect(message.status).toBe('error')
    const names = toLangChainTools(scene.options).map(({ name }) => name)
    expect(names).not.toContain('echo')
    expect(names).toContain('send')
  })

  test('an image is an image, and a failure of the tool its own words', async () => {
    const scene = await setUp()
    await using _ = scene.engine
    const { message } = await play(scene, 'picture', {})
    expect(message.content).toEqual([
      { type: 'text', text: expect.any(String) },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    ])
    const failed = await play(scene, 'fail', {})
    expect(failed.message).toMatchObject({ status: 'error', content: 'broken' })
  })
})

test('called by hand a tool gives its value, or throws with its code', async () => {
  const { engine, options } = await setUp()
  await using _ = engine
  const tools = toLangChainTools({ ...options, tools: createToolset(options.tools) })
  const echo = tools.find(({ name }) => name === 'echo')
  expect(await echo?.invoke({ text: 'hi' })).toBe('said hi')
  await expect(echo?.invoke({})).rejects.toMatchObject({ code: 'invalid_arguments' })
})
