import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createQuietWatch } from './quiet-watch.ts'

function prepare() {
  const clock = createFakeClock()
  let quiet = 0
  let comments = 0
  const watch = createQuietWatch({
    clock,
    onQuiet() {
      quiet += 1
    },
  })
  return {
    clock,
    watch,
    quiet: () => quiet,
    /** A comment after so much time. */
    beat(afterMs: number) {
      clock.advance(afterMs)
      comments += 1
      watch.heard(comments)
    },
    /** Something else after so much time. */
    data(afterMs: number) {
      clock.advance(afterMs)
      watch.heard(comments)
    },
  }
}

test('a stream without comments may be quiet for ever', () => {
  const given = prepare()
  given.data(0)
  given.data(1_000)
  given.clock.advance(86_400_000)
  expect([given.quiet(), given.clock.pending()]).toEqual([0, 0])
})

test('comments that come together are no habit', () => {
  const given = prepare()
  for (let i = 0; i < 10; i += 1) given.beat(1)
  given.clock.advance(86_400_000)
  expect(given.quiet()).toBe(0)
})

test('four times the longest gap is too long, once', () => {
  const given = prepare()
  given.beat(0)
  given.beat(30_000)
  given.beat(15_000)
  given.clock.advance(119_999)
  expect(given.quiet()).toBe(0)
  given.clock.advance(1)
  expect(given.quiet()).toBe(1)
  given.clock.advance(86_400_000)
  expect([given.quiet(), given.clock.pending()]).toEqual([1, 0])
})

test('less than a minute is never too long', () => {
  const given = prepare()
  for (let i = 0; i < 5; i += 1) given.beat(2_000)
  given.clock.advance(59_999)
  expect(given.quiet()).toBe(0)
  given.clock.advance(1)
  expect(given.quiet()).toBe(1)
})

test('whatever comes counts as a sign of life', () => {
  const given = prepare()
  for (let i = 0; i < 3; i += 1) given.beat(20_000)
  for (let i = 0; i < 20; i += 1) given.data(79_000)
  expect(given.quiet()).toBe(0)
  given.clock.advance(80_000)
  expect(given.quiet()).toBe(1)
})

test('stopping leaves no timer', () => {
  const given = prepare()
  for (let i = 0; i < 3; i += 1) given.beat(20_000)
  expect(given.clock.pending()).toBe(1)
  given.watch.stop()
  expect(given.clock.pending()).toBe(0)
})
