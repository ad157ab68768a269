import { createEgress, createMasker } from '@dataagent/guard'
import { createTracer } from '@dataagent/hub'
import {
  createCanary,
  expectNoCanary,
  lastUserText,
  type ReceivedSpan,
  type Script,
  startOtlpReceiver,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTaskTool } from '../tools/index.ts'
import type { ModelCallEnd } from './run.ts'
import { runSubAgent } from './sub-agent.ts'
import { countingTool, person, startEngine, type TestEngineOptions } from './test-engine.ts'

const task = createTaskTool({ runSubAgent: ({ prompt }, context) => runSubAgent(prompt, context) })

/** One task, whose sub-agent counts. */
const script: Script = (request) => {
  const isAnswered = request.turns.at(-1)?.role === 'tool'
  if (isAnswered) return { text: 'It is done.' }
  if (lastUserText(request) === 'Go') {
    const given = { description: 'A part', prompt: 'Count one' }
    return { toolCalls: [{ name: 'task', arguments: given }] }
  }
  return { toolCalls: [{ name: 'count', arguments: { value: lastUserText(request) } }] }
}

async function startTraced(options: TestEngineOptions = {}) {
  const cleanup = new AsyncDisposableStack()
  const receiver = cleanup.use(await startOtlpReceiver())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const tracer = createTracer({ endpoint: receiver.url, egress, serviceName: 'test' })
  const calls: ModelCallEnd[] = []
  const onModelCall = (call: ModelCallEnd) => void calls.push(call)
  const engine = cleanup.use(
    await startEngine({ ...options, tracer, executor: { onModelCall, ...options.executor } }),
  )
  return {
    engine,
    calls,
    receiver,
    /** All that were made, once they are there. */
    async spans(): Promise<ReceivedSpan[]> {
      await tracer.flush()
      return receiver.spans
    },
    async [Symbol.asyncDispose]() {
      await cleanup.disposeAsync()
      await tracer.close()
    },
  }
}

/** Names of spans, each under its parent. */
function treeOf(spans: readonly ReceivedSpan[], parent?: string): Record<string, unknown>[] {
  return spans
    .filter(({ parent_span_id }) => parent_span_id === parent)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
    .map(({ name, span_id }) => ({ [name]: treeOf(spans, span_id) }))
}

test('a run is one trace: agent, model, tool, and a sub-agent within the call that asked for it [A5.2]', async () => {
  await using rig = await startTraced({ tools: [countingTool('count'), task], script })
  await rig.engine.say('Go')
  const spans = await rig.spans()
  expect(new Set(spans.map(({ trace_id }) => trace_id)).size).toBe(1)
  const sub = [{ 'chat standin': [] }, { 'execute_tool count': [] }, { 'chat standin': [] }]
  expect(treeOf(spans)).toEqual([
    {
      'invoke_agent helper': [
        { 'chat standin': [] },
        { 'execute_tool task': [{ 'invoke_agent helper': sub }] },
        { 'chat standin': [] },
      ],
    },
  ])
})

test('its spans say who, where, which model, and what it took, and nothing that was said [A5.2] [C6.2]', async () => {
  const canary = createCanary()
  await using rig = await startTraced({ script: () => ({ text: canary.marker }) })
  const [first] = await rig.engine.say(`Say ${canary.marker}`)
  const [chat, agent] = await rig.spans()
  const usage = { 'gen_ai.usage.input_tokens': expect.any(Number) }
  const ids = { 'gen_ai.conversation.id': rig.engine.session_id, 'dataagent.run_id': first?.run_id }
  expect(agent?.attributes).toMatchObject({
    ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': 'helper', ...ids, ...usage },
    ...{ 'gen_ai.request.model': 'standin', 'user.id': person.user_id },
    ...{ 'session.id': rig.engine.session_id, 'dataagent.status': 'answered' },
  })
  expect(chat?.attributes).toMatchObject({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', ...ids, ...usage },
    ...{ 'gen_ai.request.model': 'standin', 'gen_ai.response.model': 'standin' },
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
  })
  expect(agent?.attributes['gen_ai.usage.output_tokens']).toBe(
    chat?.attributes['gen_ai.usage.output_tokens'],
  )
  await expectNoCanary([canary], [{ name: 'spans', object: rig.receiver.requests }])
})

test('where it is wanted, prompts and answers are in the spans: masked, and the newest that fit [C6.2]', async () => {
  const canary = createCanary()
  const traceContent = createMasker({ values: [canary.marker] })
  const text = `The key is ${canary.marker}`
  await using rig = await startTraced({ script: () => ({ text }), executor: { traceContent } })
  await rig.engine.say(`Old ${'x'.repeat(7_000)}`)
  for (const word of ['one', 'two', 'three', 'four']) {
    await rig.engine.say(`${word} ${canary.marker} ${'y'.repeat(7_000)}`)
  }
  const chats = (await rig.spans()).filter(({ name }) => name === 'chat standin')
  const { attributes } = chats.at(-1)!
  const input = JSON.parse(String(attributes['gen_ai.input.messages']))
  expect(input.at(-1)).toMatchObject({
    role: 'user',
    parts: [{ type: 'text', content: expect.stringMatching(/^four \*\*\* y+$/) }],
  })
  expect(JSON.stringify(input)).not.toContain('Old')
  expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
    {
      role: 'assistant',
      parts: [{ type: 'text', content: 'The key is ***' }],
      finish_reason: 'stop',
    },
  ])
  await expectNoCanary([canary], [{ name: 'spans', object: rig.receiver.requests }])
})

test('a model that fails closes both spans with what it was, and is told of [A5.2]', async () => {
  await using rig = await startTraced({ script: () => ({ error: 401 }) })
  await rig.engine.say('Go')
  const [chat, agent] = await rig.spans()
  for (const span of [chat, agent]) {
    expect(span?.attributes['error.type']).toBe('unauthenticated')
    expect(span?.status.code).toBe(2)
  }
  expect(rig.calls).toMatchObject([{ model: 'openai:standin', status: 'unauthenticated' }])
})

test('a run that is cancelled closes its spans, and is no failure', async () => {
  const leaving = new AbortController()
  await using rig = await startTraced({ script: () => ({ text: 'I talk', ttft: 60_000 }) })
  const said = rig.engine.say('Go', { signal: leaving.signal })
  await expect.poll(() => rig.engine.standIn.requests.length).toBe(1)
  leaving.abort()
  await said
  const [chat, agent] = await rig.spans()
  expect(chat?.attributes['error.type']).toBe('cancelled')
  expect(agent).toMatchObject({ attributes: { 'dataagent.status': 'cancelled' }, status: {} })
})
