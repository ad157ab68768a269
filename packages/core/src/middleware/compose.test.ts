import { AppError, isAppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { composeMiddleware } from './compose.ts'
import type { AgentMiddleware } from './contract.ts'
import {
  createTestRuntime,
  modelCallIn,
  replies,
  says,
  succeeds,
  toolCallIn,
} from './test-runtime.ts'

const runtime = createTestRuntime()
const state = { messages: [says('hi')] }
const call = modelCallIn(runtime)
const toolCall = toolCallIn(runtime)
const done = succeeds('x')

/** A middleware that writes down each of its hooks. */
function tracing(name: string, log: string[]): AgentMiddleware {
  const note = (what: string) => void log.push(`${name}.${what}`)
  return {
    name,
    systemPrompt: () => name,
    beforeAgent: () => void note('beforeAgent'),
    beforeModel: async () => void note('beforeModel'),
    async wrapModelCall(request, handler) {
      note('in')
      const reply = await handler(request)
      note('out')
      return reply
    },
    afterModel: () => void note('afterModel'),
    wrapToolCall: (request, handler) => handler(request).finally(() => note('tool')),
    afterAgent: () => void note('afterAgent'),
  }
}

describe('the order [D7.1]', () => {
  test('is that of the list before, the other way after, and the first is the outermost', async () => {
    const log: string[] = []
    const composed = composeMiddleware([tracing('a', log), tracing('b', log)])
    await composed.beforeAgent(state, runtime)
    await composed.beforeModel(state, runtime)
    await composed.modelCall(call, async () => replies('hello'))
    await composed.afterModel(state, runtime)
    await composed.toolCall(toolCall, async () => done)
    await composed.afterAgent(state, runtime)
    expect(log.join(' ')).toBe(
      'a.beforeAgent b.beforeAgent a.beforeModel b.beforeModel a.in b.in b.out a.out ' +
        'b.afterModel a.afterModel b.tool a.tool b.afterAgent a.afterAgent',
    )
    expect(composed.systemPrompt(runtime)).toBe('a\n\nb')
  })

  test('ends at the hook that jumps, and tells the engine where to', async () => {
    const log: string[] = []
    const ending: AgentMiddleware = { name: 'end', beforeModel: () => ({ jumpTo: 'end' }) }
    const composed = composeMiddleware([tracing('a', log), ending, tracing('b', log)])
    expect(await composed.beforeModel(state, runtime)).toMatchObject({ state, jumpTo: 'end' })
    expect(log).toEqual(['a.beforeModel'])
  })
})

describe('a wrap', () => {
  test('changes the request, calls again and answers in the place of the model', async () => {
    const twice: AgentMiddleware = {
      name: 'twice',
      async wrapModelCall(request, handler) {
        const first = await handler({ ...request, systemPrompt: 'one' })
        const second = await handler({ ...request, systemPrompt: 'two' })
        return replies(`${first.content} ${second.content}`)
      },
    }
    const composed = composeMiddleware([twice])
    const reply = await composed.modelCall(call, async ({ systemPrompt }) => replies(systemPrompt))
    expect(reply.content).toBe('one two')
  })

  test('that gives nothing is an error that names it', async () => {
    const broken = { name: 'broken', wrapModelCall: async () => undefined }
    const composed = composeMiddleware([broken as unknown as AgentMiddleware])
    await expect(composed.modelCall(call, async () => replies(''))).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringContaining('broken'),
    })
  })

  test('lets the failure of the model and of the tool through as it is', async () => {
    const composed = composeMiddleware([tracing('a', []), tracing('b', [])])
    const failure = new AppError('rate_limited', 'slow down')
    const failing = () => Promise.reject(failure)
    await expect(composed.modelCall(call, failing)).rejects.toBe(failure)
    await expect(composed.toolCall(toolCall, failing)).rejects.toBe(failure)
  })

  test('without any layer is the call itself', async () => {
    const reply = replies('')
    expect(await composeMiddleware([]).modelCall(call, async () => reply)).toBe(reply)
  })
})

describe('an error names the middleware and the hook, and keeps its code', () => {
  const fault = new AppError('quota_exceeded', 'enough', { data: { left: 0 } })
  const throwing = () => {
    throw fault
  }
  const rejecting = () => Promise.reject(fault)
  test.each<[string, Partial<AgentMiddleware>]>([
    ['beforeModel', { beforeModel: throwing }],
    ['beforeModel', { beforeModel: rejecting }],
    ['systemPrompt', { systemPrompt: throwing }],
    ['systemPrompt', { systemPrompt: rejecting }],
    ['wrapModelCall', { wrapModelCall: throwing }],
    ['wrapModelCall', { wrapModelCall: rejecting }],
  ])('%s', async (hook, hooks) => {
    const composed = composeMiddleware([tracing('outer', []), { name: 'bad', ...hooks }])
    const run = async () => {
      await composed.systemPrompt(runtime)
      await composed.beforeModel(state, runtime)
      await composed.modelCall(call, async () => replies(''))
    }
    const error = await run().catch((caught) => caught)
    expect(error).toMatchObject({ code: 'quota_exceeded', data: { left: 0 }, cause: fault })
    expect(error.message).toBe(`middleware bad failed in ${hook}: enough`)
  })

  test('what is no AppError is a fault, and stays one', () => {
    const throwsText = () => {
      throw new TypeError('oops')
    }
    const composed = composeMiddleware([{ name: 'bad', beforeAgent: throwsText }])
    const thrown = catchThrown(() => composed.beforeAgent(state, runtime))
    expect(thrown).toMatchObject({ message: expect.stringMatching(/bad.*beforeAgent.*oops/) })
    expect(isAppError(thrown)).toBe(false)
  })
})

describe('the state', () => {
  const counting: AgentMiddleware = {
    name: 'counting',
    stateSchema: z.object({ count: z.int().default(0), seen: z.array(z.string()).default([]) }),
    beforeModel: ({ count }) => ({ count: (count as number) + 1 }),
  }
  const set = (update: Record<string, unknown>): AgentMiddleware => ({
    name: 'set',
    beforeModel: () => update,
  })

  test('begins with the defaults of all, made anew for each run', () => {
    const composed = composeMiddleware([counting])
    expect(composed.initialState()).toEqual({ count: 0, seen: [] })
    expect(composed.initialState().seen).not.toBe(composed.initialState().seen)
  })

  test('goes from one middleware to the next, and messages are replaced', async () => {
    const again = { ...counting, name: 'again' }
    const composed = composeMiddleware([counting, set({ messages: [says('new')] }), again])
    const result = await composed.beforeModel({ ...state, ...composed.initialState() }, runtime)
    expect(result.state).toEqual({ messages: [says('new')], count: 2, seen: [] })
  })

  test('a summary is told to the engine and is not part of it', async () => {
    const summary = { content: 'short', count: 1 }
    const composed = composeMiddleware([set({ messages: [], summary })])
    expect(await composed.beforeModel(state, runtime)).toEqual({ state: { messages: [] }, summary })
  })

  test.each<[string, AgentMiddleware[], string]>([
    ['a field of another', [counting, set({ count: 5 })], 'set failed in beforeModel: may not set'],
    ['a field of nobody', [set({ other: 5 })], 'may not set "other"'],
    ['an inherited name', [{ ...counting, ...set({ constructor: 5 }) }], 'may not set'],
    [
      'a value that does not fit',
      [{ ...counting, beforeModel: () => ({ count: 'many' }) }],
      'expected number, got string',
    ],
    ['messages that are no list', [set({ messages: 'hi' })], 'no list'],
    ['a jump to nowhere', [set({ jumpTo: 'start' })], 'asked to jump to "start"'],
    [
      'a second summary',
      [
        set({ summary: { content: '', count: 1 } }),
        { ...set({ summary: { content: '', count: 1 } }), name: 'set2' },
      ],
      'set2 failed',
    ],
  ])('takes no %s', (_, list, message) => {
    const composed = composeMiddleware(list)
    const run = () => composed.beforeModel({ ...state, ...composed.initialState() }, runtime)
    expect(run).toThrow(message)
  })
})

test.each<[string, AgentMiddleware[], string]>([
  ['two of one name', [{ name: 'a' }, { name: 'a' }], 'two middlewares named a'],
  ['no name', [{ name: '' }], 'needs a name'],
  [
    'a field without a default',
    [{ name: 'a', stateSchema: z.object({ b: z.string() }) }],
    'needs a default',
  ],
  ['the messages', [{ name: 'a', stateSchema: z.object({ messages: z.any() }) }], '"messages"'],
])('%s is refused when it is composed', (_, list, message) => {
  expect(() => composeMiddleware(list)).toThrow(message)
})

test('hooks that give no promise are no promise, and eight cost microseconds', () => {
  const idle = (_: unknown, i: number): AgentMiddleware => ({
    name: `idle${i}`,
    beforeModel: () => undefined,
    afterModel: () => undefined,
  })
  const composed = composeMiddleware(Array.from({ length: 8 }, idle))
  expect(composed.beforeModel(state, runtime)).toEqual({ state })
  const rounds = 20_000
  const start = performance.now()
  for (let i = 0; i < rounds; i += 1) void composed.beforeModel(state, runtime)
  const microseconds = ((performance.now() - start) / rounds) * 1000
  expect(microseconds).toBeLessThan(500)
})

function catchThrown(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
