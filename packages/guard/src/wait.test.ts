import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { wait } from './wait.ts'

test('a wait ends with its time or its signal, and leaves no timer', async () => {
  const clock = createFakeClock()
  const stop = new AbortController()
  const ended: string[] = []
  const note = (name: string) => () => ended.push(name)
  void wait(clock, 100, stop.signal).then(note('time'))
  void wait(clock, 1_000, stop.signal).then(note('signal'))
  await clock.advanceAsync(100)
  expect(ended).toEqual(['time'])
  stop.abort()
  await clock.advanceAsync(0)
  expect(ended).toEqual(['time', 'signal'])
  await wait(clock, 1_000, stop.signal)
  expect(clock.pending()).toBe(0)
})
