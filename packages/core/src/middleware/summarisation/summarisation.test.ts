import { AppError } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelMessage } from '../../models/index.ts'
import type { StateUpdate } from '../contract.ts'
import { createTestModel } from '../test-model.ts'
import { createTestRuntime, says } from '../test-runtime.ts'
import { createSummarisation, type SummarisationOptions } from './summarisation.ts'

const long = 'word '.repeat(100)

/** A turn in which the model called a tool `calls` times at once. */
function turn(i: number, calls: number): ModelMessage[] {
  const ids = Array.from({ length: calls }, (_, n) => `${i}-${n}`)
  return [
    says(`question ${i} ${long}`),
    {
      role: 'assistant',
      content: '',
      tool_calls: ids.map((id) => ({ id, name: 'look', arguments: { id } })),
    },
    ...ids.map(
      (id): ModelMessage => ({
        role: 'tool',
        tool_call_id: id,
        name: 'look',
        content: long,
        is_error: false,
      }),
    ),
    { role: 'assistant', content: `answer ${i}`, tool_calls: [] },
  ]
}

const turns = (count: number, calls = 2) =>
  Array.from({ length: count }, (_, i) => turn(i, calls)).flat()

async function run(messages: ModelMessage[], fields: Partial<SummarisationOptions> = {}) {
  const model = createTestModel(() => 'The user asked nine questions.')
  const middleware = createSummarisation({ model, keepMessages: 4, triggerTokens: 1000, ...fields })
  const update = await middleware.beforeModel?.({ messages }, createTestRuntime())
  return { update, model }
}

function orphans({ messages = [] }: StateUpdate): string[] {
  const called = new Set<string>()
  const found: string[] = []
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.tool_calls) called.add(id)
    if (message.role === 'tool' && !called.delete(message.tool_call_id)) found.push('result')
  }
  return [...found, ...called]
}

test('a short conversation is left alone and the model is not asked', async () => {
  const { update, model } = await run(turns(1))
  expect(update).toBeUndefined()
  expect(model.requests).toEqual([])
})

test('a long one keeps its last messages and a summary of the others', async () => {
  const messages = turns(9)
  const { update, model } = await run(messages)
  expect(update?.summary?.content).toContain('The user asked nine questions.')
  const count = update?.summary?.count ?? 0
  expect(update?.messages).toEqual([says(update?.summary?.content ?? ''), ...messages.slice(count)])
  expect(model.requests).toHaveLength(1)
  expect(model.requests[0]).toMatchObject({ tools: [] })
  expect(model.requests[0]?.messages[0]?.content).toContain('question 0')
})

test('the trigger may be a part of the context window', async () => {
  const model = createTestModel(() => 'notes', 2000)
  const over = await run(turns(9), { model, triggerTokens: undefined, triggerFraction: 0.5 })
  expect(over.update?.summary).toBeDefined()
  const wide = createTestModel(() => 'notes', 200_000)
  const under = await run(turns(9), { model: wide, triggerTokens: undefined, triggerFraction: 0.5 })
  expect(under.update).toBeUndefined()
})

test('a call and its results stay together, wherever the cut would fall', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.nat(4), { minLength: 2, maxLength: 12 }),
    fc.integer({ min: 1, max: 12 }),
    async (shape, keepMessages) => {
      const messages = shape.flatMap((calls, i) => turn(i, calls))
      const { update } = await run(messages, { keepMessages, triggerTokens: 200 })
      return update === undefined || orphans(update).length === 0
    },
  )
  await fc.assert(property, { numRuns: 100 })
})

test('the request that is being worked on is quoted when it is cut off', async () => {
  const messages = [says('Translate the report'), ...turn(1, 30).slice(1), ...turn(2, 1).slice(1)]
  const { update } = await run(messages)
  expect(update?.messages?.some(({ role }) => role === 'user')).toBe(true)
  expect(update?.summary?.content).toContain('last request:]\nTranslate the report')
})

test('what it has just summarised is not summarised again', async () => {
  const huge = says('x '.repeat(20_000))
  const first = await run([...turns(3), huge])
  const messages = [...(first.update?.messages ?? [])]
  expect(messages).toHaveLength(2)
  expect((await run(messages)).update).toBeUndefined()
})

test("what a summary cost counts as the run's", async () => {
  const costs: unknown[] = []
  const model = createTestModel(() => 'The user asked nine questions.')
  const middleware = createSummarisation({ model, keepMessages: 4, triggerTokens: 1000 })
  const runtime = createTestRuntime({ addUsage: (usage) => void costs.push(usage) })
  await middleware.beforeModel?.({ messages: turns(9) }, runtime)
  expect(costs).toEqual([{ prompt_tokens: 7, completion_tokens: 3 }])
})

describe('without a summary', () => {
  test.each([
    ['the model fails', new AppError('upstream_failed', 'no')],
    ['the model gives nothing', undefined],
  ])('because %s, whole turns are left out with a note, for this run', async (_, error) => {
    const model = createTestModel(() => {
      if (error) throw error
      return ' '
    })
    const { update } = await run(turns(9), { model, keepMessages: 9 })
    expect(update?.summary).toBeUndefined()
    expect(update?.messages?.[0]?.content).toContain('messages were left out')
    expect(update?.messages?.[1]?.content).toMatch(/^question/)
    expect(orphans(update ?? {})).toEqual([])
  })

  test('because the run was cancelled, it rejects', async () => {
    const abort = new AbortController()
    const model = createTestModel(() => {
      abort.abort()
      throw new AppError('cancelled', 'stopped')
    })
    const middleware = createSummarisation({ model, triggerTokens: 100 })
    const runtime = createTestRuntime({ signal: abort.signal })
    await expect(middleware.beforeModel?.({ messages: turns(9) }, runtime)).rejects.toMatchObject({
      code: 'cancelled',
    })
  })
})

test('a trigger or a number to keep that makes no sense is refused', () => {
  const model = createTestModel(() => '')
  expect(() => createSummarisation({ model, triggerTokens: 0 })).toThrow('needs a trigger')
  expect(() => createSummarisation({ model, keepMessages: 0 })).toThrow('messages to keep')
})
