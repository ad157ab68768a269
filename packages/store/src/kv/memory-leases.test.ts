import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createMemoryLeases } from './memory-leases.ts'

const names = Array.from({ length: 10_000 }, (_, at) => `run:${at}`)
const options = { ttlMs: 1_000, owner: 'worker-1' }

test('leases that were given back are not kept, and the next fence of a name is above its last [F32]', () => {
  const leases = createMemoryLeases(createFakeClock())
  const fences = names.map((name) => {
    const fence = leases.acquire(name, options)!
    expect(leases.release(name, fence)).toBe(true)
    return fence
  })
  expect(leases.size).toBe(0)
  names.forEach((name, at) => {
    expect(leases.acquire(name, options)).toBeGreaterThan(fences[at]!)
  })
})

test('leases that lapsed go as others come, and fences rise also where the clock is set back [F22, F32]', () => {
  const clock = createFakeClock()
  const leases = createMemoryLeases(clock)
  let highest = 0
  for (const name of names) {
    highest = leases.acquire(name, options)!
    clock.advance(100)
  }
  expect(leases.size).toBeLessThan(100)
  clock.jump(-30 * 24 * 3_600_000)
  expect(leases.acquire(names[0]!, options)).toBeGreaterThan(highest)
})
