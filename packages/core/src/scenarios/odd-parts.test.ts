import { type ExecutionEvent, isAppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import {
  collect,
  countingTool,
  loadConversation,
  of,
  person,
  startEngine,
  textOf,
} from '../engine/test-engine.ts'
import type { AgentMiddleware, ToolReply } from '../middleware/index.ts'
import { callsOnce } from './test-words.ts'

describe('what models and middlewares should not do does not spoil the session', () => {
  test.each(['', 'no such tool', '数据', 'x'.repeat(200), 'a.b/c'])(
    'a call of %j is answered, and the API takes the conversation',
    async (name) => {
      await using engine = await startEngine({
        script: [{ toolCalls: [{ name, arguments: {} }] }, { text: 'Sorry.' }, { text: 'Yes.' }],
      })
      const events = await engine.say('Go')
      expect(of(events, 'error')).toEqual([])
      expect(textOf(events)).toBe('Sorry.')
      expect(textOf(await engine.say('And now?'))).toBe('Yes.')
    },
  )

  test('the same id for every call is no harm [D5.3]', async () => {
    const tool = countingTool('quick')
    const same = { name: 'quick', id: 'call_1', arguments: {} }
    await using engine = await startEngine({
      tools: [tool],
      script: [{ toolCalls: [same, same] }, { toolCalls: [same] }, { text: 'Yes.' }],
    })
    expect(textOf(await engine.say('Go'))).toBe('Yes.')
    expect(tool.runs).toHaveLength(3)
  })

  const replies: [string, Partial<Record<keyof ToolReply, unknown>>][] = [
    ['an outcome of its own', { outcome: 'skipped' }],
    ['no result', { result: undefined }],
    ['a result that is no JSON', { result: new Map([[1, () => {}]]) }],
    ['a number that is none', { result: { value: Number.NaN } }],
    ['a cycle', { result: createCycle() }],
  ]

  test.each(replies)('a middleware that gives %s for a call [D11.1]', async (_, odd) => {
    const middleware: AgentMiddleware = {
      name: 'odd',
      wrapToolCall: async (request, handler) => ({
        ...(await handler(request)),
        ...(odd as object),
      }),
    }
    await using engine = await startEngine({
      tools: [countingTool('quick')],
      ...{ agent: { middleware: [middleware] }, script: callsOnce(['quick']) },
    })
    expect(textOf(await engine.say('Go'))).toBe('All done.')
    await expectReadable(engine)
  })

  test('a middleware that tells what no log can hold is reported, and the run goes on [D11.1]', async () => {
    const odd = [
      { event_type: 'todo_update', timestamp: 1, todos: 'none' },
      { event_type: 'tool_result', timestamp: -1 },
      { event_type: 'summary', timestamp: 1, content: createCycle(), through_seq: 0 },
    ] as unknown as ExecutionEvent[]
    const middleware: AgentMiddleware = {
      name: 'odd',
      beforeModel(_, { emit }) {
        for (const event of odd) emit(event)
        return undefined
      },
    }
    const reported: unknown[] = []
    await using engine = await startEngine({
      ...{ agent: { middleware: [middleware] }, script: [{ text: 'Yes.' }] },
      executor: { onError: (error) => reported.push(error) },
    })
    expect(textOf(await engine.say('Go'))).toBe('Yes.')
    expect(reported).toHaveLength(odd.length)
    expect(reported.every((error) => isAppError(error, 'invalid_request'))).toBe(true)
    await expectReadable(engine)
  })

  test('arguments too deep for the log are told to the model, and the tool is not run [A3.1]', async () => {
    const tool = countingTool('quick')
    const deep = `{"value":${'['.repeat(100)}${']'.repeat(100)}}`
    await using engine = await startEngine({
      tools: [tool],
      script: [{ toolCalls: [{ name: 'quick', arguments: deep }] }, { text: 'Sorry.' }],
    })
    const events = await engine.say('Go')
    expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'invalid' }])
    expect(tool.runs).toEqual([])
    await expectReadable(engine)
  })
})

/** Another process reads it and goes on. */
async function expectReadable(engine: Awaited<ReturnType<typeof startEngine>>): Promise<void> {
  await loadConversation(engine.sql.events, engine.session_id)
  engine.standIn.script([{ text: 'Still here.' }])
  const other = engine.createExecutor()
  const events = await collect(other.execute('And now?', engine.session_id, { principal: person }))
  expect(textOf(events)).toBe('Still here.')
}

function createCycle(): object {
  const cycle: { self?: object } = {}
  cycle.self = cycle
  return cycle
}
