import { AppError, type ErrorCode } from '@dataagent/schema'
import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { ModelDelta, ModelPort } from '../contract.ts'
import { readAnswer } from '../read-answer.ts'
import { ask, describeWires } from '../test-wires.ts'
import { createRetryBudget } from './retry-budget.ts'
import { type RetryOptions, withRetry } from './with-retry.ts'

type Attempt = readonly (ModelDelta | AppError)[]

const hello: Attempt = [
  { type: 'text', text: 'Hello' },
  { type: 'finish', reason: 'stop' },
]

/** A model that plays one attempt after the other, and how often it was asked. */
function playing(attempts: readonly Attempt[]): ModelPort & { asked: number } {
  const model = {
    name: 'test:m',
    contextWindow: 1_000,
    callsTools: true,
    asked: 0,
    async *stream() {
      const attempt = attempts[model.asked++] ?? hello
      for (const delta of attempt) {
        if (delta instanceof AppError) throw delta
        yield [delta]
      }
    },
  }
  return model
}

function failure(code: ErrorCode, data: Record<string, unknown> = {}): AppError {
  return new AppError(code, code, { data })
}

function setUp(attempts: readonly Attempt[], options: Partial<RetryOptions> = {}) {
  const clock = createFakeClock()
  const budget = createRetryBudget({ clock })
  const model = playing(attempts)
  const retrying = withRetry(model, { budget, clock, random: () => 0, ...options })
  return { clock, budget, model, retrying }
}

describe('a model that is asked again', () => {
  test.each<ErrorCode>(['rate_limited', 'timeout', 'unavailable', 'upstream_failed'])(
    'after %s, later each time',
    async (code) => {
      const { clock, model, retrying } = setUp([[failure(code)], [failure(code)]])
      const answer = readAnswer(retrying.stream(ask('hi'), undefined))
      await clock.advanceAsync(499)
      expect(model.asked).toBe(1)
      await clock.advanceAsync(1)
      expect(model.asked).toBe(2)
      await clock.advanceAsync(999)
      expect(model.asked).toBe(2)
      await clock.advanceAsync(1)
      expect((await answer).text).toBe('Hello')
    },
  )

  test.each<ErrorCode>([
    'invalid_request',
    'too_large',
    'unauthenticated',
    'forbidden',
    'cancelled',
  ])('not after %s', async (code) => {
    const { model, retrying } = setUp([[failure(code)]])
    await expect(readAnswer(retrying.stream(ask('hi'), undefined))).rejects.toMatchObject({ code })
    expect(model.asked).toBe(1)
  })

  test('three times at most', async () => {
    const { clock, model, retrying } = setUp(Array(9).fill([failure('unavailable')]))
    const answer = readAnswer(retrying.stream(ask('hi'), undefined)).catch((e) => e)
    await clock.advanceAsync(60_000)
    expect(await answer).toMatchObject({ code: 'unavailable' })
    expect(model.asked).toBe(3)
  })

  test('not before the time that it asked for', async () => {
    const { clock, model, retrying } = setUp([[failure('rate_limited', { retry_after_ms: 7_000 })]])
    const answer = readAnswer(retrying.stream(ask('hi'), undefined))
    await clock.advanceAsync(6_999)
    expect(model.asked).toBe(1)
    await clock.advanceAsync(1)
    expect((await answer).text).toBe('Hello')
  })

  test('not at all where it asked for more time than there is', async () => {
    const { model, retrying } = setUp([[failure('rate_limited', { retry_after_ms: 60_000 })]])
    await expect(readAnswer(retrying.stream(ask('hi'), undefined))).rejects.toMatchObject({
      data: { retry_after_ms: 60_000 },
    })
    expect(model.asked).toBe(1)
  })

  test('says that what was given is void', async () => {
    const broken = [{ type: 'text', text: 'Hel' } as const, failure('upstream_failed')]
    const { clock, retrying } = setUp([broken])
    const types: string[] = []
    const reading = (async () => {
      for await (const batch of retrying.stream(ask('hi'), undefined)) {
        types.push(...batch.map(({ type }) => type))
      }
    })()
    await clock.advanceAsync(1_000)
    await reading
    expect(types).toEqual(['text', 'restart', 'text', 'finish'])
  })

  test('once only after something was given', async () => {
    const broken = [{ type: 'text', text: 'Hel' } as const, failure('upstream_failed')]
    const { clock, model, retrying } = setUp([broken, broken, broken])
    const answer = readAnswer(retrying.stream(ask('hi'), undefined)).catch((e) => e)
    await clock.advanceAsync(60_000)
    expect(await answer).toMatchObject({ code: 'upstream_failed' })
    expect(model.asked).toBe(2)
  })

  test('no more once the signal aborts, and at once', async () => {
    const { clock, model, retrying } = setUp([[failure('unavailable')]])
    const stop = new AbortController()
    const answer = readAnswer(retrying.stream(ask('hi'), stop.signal)).catch((e) => e)
    await clock.advanceAsync(100)
    stop.abort()
    expect(await answer).toMatchObject({ code: 'cancelled' })
    expect(model.asked).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  test('within a budget that all share, so that an outage does not multiply [F31]', async () => {
    const { clock, budget, retrying } = setUp(Array(1_000).fill([failure('unavailable')]))
    const answers = Array.from({ length: 100 }, () =>
      readAnswer(retrying.stream(ask('hi'), undefined)).catch((e) => e.code),
    )
    await clock.advanceAsync(1_000)
    expect(await Promise.all(answers)).toEqual(Array(100).fill('unavailable'))
    expect(budget.take()).toBe(false)
  })

  test('again once answers have earned it', () => {
    const clock = createFakeClock()
    const budget = createRetryBudget({ clock, capacity: 1 })
    expect([budget.take(), budget.take()]).toEqual([true, false])
    for (let i = 0; i < 11; i += 1) budget.earn()
    expect([budget.take(), budget.take()]).toEqual([true, false])
    clock.advance(10_001)
    expect(budget.take()).toBe(true)
  })
})

describeWires('a provider that fails now and then', ({ standIn, model }) => {
  test.each([{ error: 500 }, { text: 'Hello there you', cut: 2 }, { text: 'Hello you', break: 1 }])(
    'is asked again after %o',
    async (first) => {
      standIn().script([first, 'Hello'])
      const clock = createFakeClock()
      const budget = createRetryBudget({ clock })
      const retrying = withRetry(model('standin'), { budget, firstMs: 1 })
      expect(await readAnswer(retrying.stream(ask('hi'), undefined))).toMatchObject({
        text: 'Hello',
        finish: 'stop',
      })
    },
  )
})
