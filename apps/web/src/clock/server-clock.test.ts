import { expect, test } from 'vitest'
import { createServerClock } from './server-clock.ts'

test('the time is that of the server, also where the clock of the browser is wrong', () => {
  let own = 1_000_000
  const clock = createServerClock(() => own)
  expect(clock.now()).toBe(1_000_000)
  clock.hear(4_600_000)
  own += 5_000
  expect(clock.now()).toBe(4_605_000)
  own = 5_000_000
  clock.hear(5_000_000)
  expect(clock.now()).toBe(5_000_000)
})

test('how long a message was on its way is no difference of clocks', () => {
  const clock = createServerClock(() => 1_000_000)
  clock.hear(999_200)
  expect(clock.now()).toBe(1_000_000)
})
