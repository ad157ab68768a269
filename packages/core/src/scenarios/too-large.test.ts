import { defineTool } from '@dataagent/hub'
import type { ExecutionEvent } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  countingTool,
  loadConversation,
  of,
  person,
  startEngine,
  type TestEngine,
  type TestEngineOptions,
  textOf,
} from '../engine/test-engine.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import type { ModelDelta } from '../models/index.ts'
import { callsOnce } from './test-words.ts'

const mebibyte = 1024 * 1024
const long = 'tea 茶 '.repeat(mebibyte)
const tool = () => countingTool('look')
const script = callsOnce(['look'])

describe('more than the log takes in one event', () => {
  test('a result is cut, and says where to read the rest', async () => {
    const answering: AgentMiddleware = {
      name: 'answering',
      wrapToolCall: async () => ({
        ...{ content: long, status: 'success', outcome: 'ok', result: long },
      }),
    }
    await using engine = await startEngine({ ...{ tools: [tool()], script }, ...using(answering) })
    const events = await engine.say('Go')
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(of(events, 'error')).toEqual([])
    const result = String(of(events, 'tool_result')[0]?.result)
    expect(result.length).toBeLessThan(mebibyte)
    expect(long.startsWith(result.slice(0, 10_000))).toBe(true)
    const [, result_id = ''] = /read_result with \{"result_id":"(\w[\w-]+)"/.exec(result) ?? []
    const agent = { ...person, agent_id: engine.agent.assistant_id }
    expect((await engine.hub.results.read(agent, result_id, 2)).text).toContain('tea 茶')
    await expectGoesOn(engine)
  })

  test.each<[string, AgentMiddleware]>([
    ['arguments that a hook gives', { name: 'h', afterModel: withArguments }],
    [
      'a thought',
      { name: 'h', wrapModelCall: async (call, ask) => ({ ...(await ask(call)), ...thought }) },
    ],
  ])('%s: the run ends with an error and done', async (_, middleware) => {
    await using engine = await startEngine({ ...{ tools: [tool()], script }, ...using(middleware) })
    const events = await engine.say('Go')
    expect(of(events, 'error')).toMatchObject([{ error_code: 'too_large', recoverable: false }])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(events.every(({ seq }) => seq > 0)).toBe(true)
    await expectLogged(engine)
  })

  test('what a tool emits is left out and reported, and the run goes on', async () => {
    const faults: unknown[] = []
    const emitting = toolThatEmits([fileOperation(long)])
    await using engine = await startEngine({
      ...{ tools: [emitting], script },
      executor: { onError: (error) => faults.push(error) },
    })
    const events = await engine.say('Go')
    expect(of(events, 'file_operation')).toEqual([])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(faults).toMatchObject([{ code: 'too_large' }])
    await expectGoesOn(engine)
  })

  test('arguments of the model: it is told so', async () => {
    const look = tool()
    await using engine = await startEngine({
      tools: [look],
      script: [
        { toolCalls: [{ name: 'look', arguments: { value: long.slice(0, mebibyte) } }] },
        { text: 'I see.' },
      ],
    })
    const events = await engine.say('Go')
    expect(of(events, 'tool_result')).toMatchObject([{ outcome: 'invalid' }])
    expect(JSON.stringify(of(events, 'tool_result'))).toContain('too long')
    expect(textOf(events)).toBe('I see.')
    expect(look.runs).toEqual([])
  })

  test('text is logged in pieces', async () => {
    const deltas: ModelDelta[] = [
      { type: 'text', text: long },
      { type: 'finish', reason: 'stop' },
    ]
    const model = {
      ...{ name: 'test:long', contextWindow: 1_000_000, callsTools: true },
      async *stream() {
        yield deltas
      },
    }
    await using engine = await startEngine({ agent: { model } })
    const events = await engine.say('Go')
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(textOf(events)).toBe(long)
    await expectLogged(engine)
    const { messages } = await loadConversation(engine.sql.events, engine.session_id)
    expect(messages.at(-1)?.content).toBe(long)
  })
})

test('more events at once than the log takes in one append are logged in several', async () => {
  const emitting = toolThatEmits(Array.from({ length: 9_000 }, (_, i) => fileOperation(String(i))))
  await using engine = await startEngine({ tools: [emitting], script })
  const events = await engine.say('Go')
  expect(of(events, 'file_operation').map(({ diff }) => Number(diff))).toEqual(
    Array.from({ length: 9_000 }, (_, i) => i),
  )
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
})

const thought = { reasoning: [{ text: long }] }

function withArguments({ messages }: Parameters<NonNullable<AgentMiddleware['afterModel']>>[0]) {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return undefined
  const tool_calls = last.tool_calls.map((call) => ({ ...call, arguments: { value: long } }))
  return { messages: [...messages.slice(0, -1), { ...last, tool_calls }] }
}

function using(middleware: AgentMiddleware): TestEngineOptions {
  return { agent: { middleware: [middleware] } }
}

function toolThatEmits(events: readonly ExecutionEvent[]) {
  return defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.object({ value: z.string() }),
    run(_, { emit }) {
      for (const event of events) emit?.(event)
      return 'Seen.'
    },
  })
}

function fileOperation(diff: string): ExecutionEvent {
  const about = { operation: 'read', path: 'files/a', diff, additions: 0, deletions: 0 } as const
  return { event_type: 'file_operation', timestamp: 1, ...about }
}

/** The session can be read back, and no run is left open. */
async function expectLogged({ sql, session_id }: TestEngine): Promise<void> {
  expect(await loadConversation(sql.events, session_id)).toMatchObject({ openRun: undefined })
}

async function expectGoesOn(engine: TestEngine): Promise<void> {
  await expectLogged(engine)
  const next = await engine.say('And now?')
  expect(next.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
}
