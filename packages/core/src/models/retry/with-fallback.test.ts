import { AppError, type ErrorCode } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { ModelDelta, ModelPort } from '../contract.ts'
import { readAnswer } from '../read-answer.ts'
import { ask } from '../test-wires.ts'
import { withFallback } from './with-fallback.ts'

interface Played extends ModelPort {
  asked: number
  code: ErrorCode | undefined
}

function create(name: string, code?: ErrorCode, before: readonly ModelDelta[] = []): Played {
  const model: Played = {
    name,
    contextWindow: name.length * 1_000,
    callsTools: true,
    asked: 0,
    code,
    async *stream() {
      model.asked += 1
      if (before.length > 0) yield before
      if (model.code !== undefined) throw new AppError(model.code, `${name} failed`)
      yield [
        { type: 'text', text: `I am ${name}` },
        { type: 'finish', reason: 'stop' },
      ]
    },
  }
  return model
}

const answer = (model: ModelPort) => readAnswer(model.stream(ask('hi'), undefined))

describe('a list of models', () => {
  test('is answered by the first, without a word about it', async () => {
    const models = withFallback([create('a:one'), create('b:second')])
    expect(await answer(models)).toMatchObject({ text: 'I am a:one', model: undefined })
    expect(models).toMatchObject({ name: 'a:one', contextWindow: 5_000, callsTools: true })
  })

  test.each<ErrorCode>(['unavailable', 'rate_limited', 'unauthenticated', 'forbidden', 'timeout'])(
    'is answered by the next after %s, and says by which',
    async (code) => {
      const models = withFallback([create('a:one', code), create('b:two')])
      expect(await answer(models)).toMatchObject({ text: 'I am b:two', model: 'b:two' })
    },
  )

  test.each<ErrorCode>(['invalid_request', 'too_large', 'cancelled'])(
    'is not asked on after %s',
    async (code) => {
      const second = create('b:two')
      await expect(answer(withFallback([create('a:one', code), second]))).rejects.toMatchObject({
        code,
      })
      expect(second.asked).toBe(0)
    },
  )

  test('voids what the first had given', async () => {
    const first = create('a:one', 'upstream_failed', [{ type: 'text', text: 'half' }])
    expect((await answer(withFallback([first, create('b:two')]))).text).toBe('I am b:two')
  })

  test('says which were tried when all are out', async () => {
    const models = withFallback([create('a:one', 'timeout'), create('b:two', 'unavailable')])
    await expect(answer(models)).rejects.toMatchObject({
      code: 'unavailable',
      data: { tried: ['a:one', 'b:two'] },
    })
  })

  test('leaves one that is out alone for a while', async () => {
    const clock = createFakeClock()
    const first = create('a:one', 'unavailable')
    const models = withFallback([first, create('b:two')], { clock, restMs: 1_000 })
    await answer(models)
    await answer(models)
    expect(first.asked).toBe(1)
    first.code = undefined
    clock.advance(1_001)
    expect((await answer(models)).text).toBe('I am a:one')
  })

  test('of none is a mistake', () => {
    expect(() => withFallback([])).toThrow(AppError)
  })
})
