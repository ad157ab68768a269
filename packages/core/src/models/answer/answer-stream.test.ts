import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { ModelDelta } from '../contract.ts'
import { readAnswer } from '../read-answer.ts'
import { openAiEvents, type PlayOptions, playAnswer } from './test-play-answer.ts'

const events = openAiEvents([{ content: 'Hi' }, { content: ' you' }])

function setUp(pieces: Iterable<string>, options: PlayOptions = {}) {
  const clock = createFakeClock()
  let stops = 0
  const onStop = () => {
    stops += 1
  }
  const playing = playAnswer(pieces, { clock, onStop, ends: 'never', ...options })
  return { clock, playing, stops: () => stops }
}

describe('an answer', () => {
  test('of which nothing comes ends with timeout and leaves no timer', async () => {
    const { clock, playing, stops } = setUp(events.slice(0, 1))
    const reading = readAnswer(playing).catch((e) => e)
    await clock.advanceAsync(9_999)
    expect(stops()).toBe(0)
    await clock.advanceAsync(1)
    expect(await reading).toMatchObject({ code: 'timeout' })
    expect(stops()).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  test('that is whole does not wait for its usage for long', async () => {
    const { clock, playing } = setUp(events.slice(0, 3))
    const reading = readAnswer(playing)
    await clock.advanceAsync(3_000)
    expect(await reading).toMatchObject({ text: 'Hi you', finish: 'stop', usage: undefined })
  })

  test('that was read lets go of a socket that does not end', async () => {
    const { clock, playing, stops } = setUp(events)
    expect((await readAnswer(playing)).text).toBe('Hi you')
    expect(stops()).toBe(0)
    await clock.advanceAsync(3_000)
    expect(stops()).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  test('that is left in the middle lets go at once', async () => {
    const { clock, playing, stops } = setUp(events.slice(0, 1))
    for await (const _ of playing) break
    expect(stops()).toBe(1)
    expect(clock.pending()).toBe(0)
    expect(await playing.stream.next()).toEqual({ value: undefined, done: true })
  })

  test('whose reader is slow holds the socket back, and is not late by that', async () => {
    const moves: string[] = []
    const flow = { pause: () => moves.push('pause'), resume: () => moves.push('resume') }
    const big = openAiEvents([{ content: 'x'.repeat(600_000) }, { content: 'y'.repeat(600_000) }])
    const { clock, playing } = setUp(big.slice(0, 2), { flow })
    await clock.advanceAsync(30_000)
    expect(moves).toContain('pause')
    expect(moves).not.toContain('resume')
    const { value } = await playing.stream.next()
    expect(value?.[0]).toMatchObject({ text: expect.stringMatching(/^x{600000}y{600000}$/) })
    expect(moves.at(-1)).toBe('resume')
  })

  test('that goes on for ever ends at its total', async () => {
    const clock = createFakeClock()
    const { playing } = setUp([], { clock })
    const reading = readAnswer(playing).catch((e) => e)
    for (let i = 0; i < 7; i += 1) {
      await clock.advanceAsync(9_000)
      playing.stream.data(Buffer.from(': ping\n\n'))
    }
    expect(await reading).toMatchObject({ code: 'timeout' })
  })

  test('of more calls than can be is refused', async () => {
    const calls = Array.from({ length: 600 }, (_, index) => ({
      tool_calls: [{ index, id: `${index}`, function: { name: 'x', arguments: '{}' } }],
    }))
    await expect(readAnswer(playAnswer(openAiEvents(calls)))).rejects.toMatchObject({
      code: 'upstream_failed',
    })
  })

  test('gives what came before it failed, then fails, then is over', async () => {
    const { stream } = playAnswer(events.slice(0, 1), { ends: 'cut' })
    const first = await stream.next()
    expect((first.value as readonly ModelDelta[])[0]).toEqual({ type: 'text', text: 'Hi' })
    await expect(stream.next()).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await stream.next()).toEqual({ value: undefined, done: true })
  })

  test('of a status tells when to come back, by date too', async () => {
    const clock = createFakeClock()
    const inTenSeconds = new Date(clock.now() + 10_000).toUTCString()
    for (const [name, value, ms] of [
      ['retry-after', '2', 2_000],
      ['retry-after-ms', '1500', 1_500],
      ['retry-after', inTenSeconds, 10_000],
      ['retry-after', 'soon', undefined],
    ] as const) {
      const playing = playAnswer(['busy'], { status: 429, headers: { [name]: value }, clock })
      const error = await readAnswer(playing).catch((e) => e)
      expect(error.data).toMatchObject({ status: 429, body: 'busy' })
      expect(error.data.retry_after_ms).toBe(ms)
    }
  })
})
