import { createFakeClock } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrameReader, toFrames } from './frames.ts'

const long = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 60_000 }))
  .map(([text, times]) => `{${text}`.repeat(times).slice(0, 400_000))
  .map((text) => text.toWellFormed())

test('any text is put together again, and no frame is too large or ill-formed', () => {
  const check = (text: string) => {
    const read = createFrameReader(createFakeClock())
    const frames = toFrames(text)
    for (const frame of frames) {
      expect(Buffer.byteLength(frame)).toBeLessThan(256 * 1024)
      expect(frame.isWellFormed()).toBe(true)
    }
    expect(frames.map(read).filter((one) => one !== undefined)).toEqual([text])
  }
  fc.assert(fc.property(long, check), { numRuns: 50 })
})

test('frames of many texts may be mixed, and in any order', () => {
  const read = createFrameReader(createFakeClock())
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000))
  const frames = texts.flatMap(toFrames).toSorted((a, b) => a.length - b.length || (a < b ? 1 : -1))
  const got = frames.map(read).filter((one) => one !== undefined)
  expect(got.toSorted()).toEqual(texts)
})

test('what is never complete is dropped, and so is what is too much', () => {
  const clock = createFakeClock()
  const read = createFrameReader(clock)
  const [first = '', ...rest] = toFrames('x'.repeat(200_000))
  read(first)
  clock.advance(31_000)
  expect(rest.map(read)).toEqual(rest.map(() => undefined))
  expect(read('#zz')).toBeUndefined()
})
