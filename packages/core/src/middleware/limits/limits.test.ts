import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { composeMiddleware } from '../compose.ts'
import {
  createTestRuntime,
  modelCallIn,
  replies,
  says,
  succeeds,
  toolCallIn,
} from '../test-runtime.ts'
import { createLimits, type LimitsOptions } from './limits.ts'

const usage = { prompt_tokens: 90, completion_tokens: 10 }
const done = succeeds('x')

/** Turns of one model call and one tool call until a limit ends the run. */
async function runUntilEnd(options: LimitsOptions, question = 'go') {
  const clock = createFakeClock()
  const composed = composeMiddleware([createLimits({ clock, ...options })])
  const runtime = createTestRuntime()
  const state = { messages: [says(question)] }
  await composed.beforeAgent(state, runtime)
  for (let turn = 0; turn < 20; turn += 1) {
    const before = await composed.beforeModel(state, runtime)
    if (before.jumpTo) return { turns: turn, before, text: before.state.messages.at(-1)?.content }
    await composed.modelCall(modelCallIn(runtime), async () => replies('', { usage }))
    await composed.toolCall(toolCallIn(runtime), async () => done)
    clock.advance(1000)
  }
  return { turns: 20, before: undefined, text: undefined }
}

describe('a run ends gracefully at its limit', () => {
  test.each<[string, LimitsOptions, number]>([
    ['model calls', { maxModelCalls: 3 }, 3],
    ['tool calls', { maxToolCalls: 2 }, 2],
    ['tokens', { maxTokens: 350 }, 4],
    ['cost', { maxCost: 5, costOf: ({ completion_tokens }) => completion_tokens / 10 }, 5],
    ['time', { maxMs: 6000 }, 6],
  ])('of %s, and says so', async (name, options, turns) => {
    const end = await runUntilEnd(options)
    expect(end.turns).toBe(turns)
    expect(end.before).toMatchObject({ jumpTo: 'end' })
    expect(end.text).toContain(`limit of ${name}`)
  })

  test('in the language of the user', async () => {
    expect((await runUntilEnd({ maxModelCalls: 1 }, '查一下')).text).toContain('模型调用次数')
  })

  test('and without limits never', async () => {
    expect((await runUntilEnd({})).turns).toBe(20)
  })
})

test('a call above the limit in one turn is answered without being run', async () => {
  const composed = composeMiddleware([createLimits({ maxToolCalls: 2 })])
  const runtime = createTestRuntime()
  let ran = 0
  const call = () =>
    composed.toolCall(toolCallIn(runtime), async () => {
      ran += 1
      return done
    })
  const outcomes = (await Promise.all([call(), call(), call()])).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['ok', 'ok', 'limited'])
  expect(ran).toBe(2)
})

test('runs at the same time are counted apart', async () => {
  const composed = composeMiddleware([createLimits({ maxModelCalls: 1 })])
  const [one, two] = [createTestRuntime(), createTestRuntime()]
  await composed.modelCall(modelCallIn(one), async () => replies(''))
  const state = { messages: [] }
  expect(await composed.beforeModel(state, one)).toMatchObject({ jumpTo: 'end' })
  expect(await composed.beforeModel(state, two)).toEqual({ state })
})

test('tokens that the model does not tell are estimated', async () => {
  const composed = composeMiddleware([createLimits({ maxTokens: 100 })])
  const runtime = createTestRuntime()
  const long = modelCallIn(runtime, { messages: [says('word '.repeat(100))] })
  await composed.modelCall(long, async () => replies('ok'))
  expect(await composed.beforeModel({ messages: [] }, runtime)).toMatchObject({ jumpTo: 'end' })
})
