import { createFakeClock, longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocalWindows } from './local-windows.ts'

test('against a plain list of calls: never one too many, and none refused that fits with 1/64 to spare', () => {
  const windowMs = 640
  const wait = fc.oneof(fc.nat(12), fc.integer({ min: windowMs - 15, max: windowMs + 15 }))
  const waits = fc.array(wait, { minLength: 60, maxLength: 200 })
  const property = fc.property(waits, fc.integer({ min: 1, max: 12 }), (steps, max) => {
    const clock = createFakeClock()
    const windows = createLocalWindows(clock)
    const passed: number[] = []
    const within = (span: number) => passed.filter((at) => at + span > clock.monotonic()).length
    for (const step of steps) {
      clock.advance(step)
      if (windows.ask('k', { max, windowMs }) > 0) {
        expect(within(windowMs * (1 + 1 / 64))).toBeGreaterThanOrEqual(max)
        continue
      }
      windows.take('k', { max, windowMs })
      passed.push(clock.monotonic())
      expect(within(windowMs)).toBeLessThanOrEqual(max)
    }
  })
  fc.assert(property, { numRuns: longCount(150, 10_000) })
})

test('the wait that is told is the least that helps', () => {
  const clock = createFakeClock()
  const windows = createLocalWindows(clock)
  const size = { max: 5, windowMs: 1_000 }
  windows.note('k', 3, 1_000)
  clock.advance(400)
  windows.take('k', size)
  windows.take('k', size)
  expect(windows.ask('k', size)).toBe(600)
  clock.advance(599)
  expect(windows.ask('k', size)).toBe(1)
  clock.advance(1)
  expect(windows.ask('k', size)).toBe(0)
})

test('a limit of 0 lets nothing pass', () => {
  const windows = createLocalWindows(createFakeClock())
  expect(windows.ask('k', { max: 0, windowMs: 1_000 })).toBe(1_000)
})

test('windows that nobody uses any more are forgotten', () => {
  const clock = createFakeClock()
  const windows = createLocalWindows(clock)
  for (let call = 0; call < 50_000; call++) {
    windows.note(`k${call}`, 1, 1_000)
    clock.advance(1)
  }
  expect(windows.size).toBeLessThan(4_000)
})
