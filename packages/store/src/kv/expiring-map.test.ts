import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createExpiringMap } from './expiring-map.ts'

test('what has expired is swept by later writes, without a timer', () => {
  const clock = createFakeClock()
  const map = createExpiringMap<number>(clock)
  for (let i = 0; i < 10_000; i++) map.set(`old ${i}`, i, 1_000)
  clock.advance(1_000)
  expect(map.size).toBe(10_000)
  for (let i = 0; i < 4_000; i++) map.set(`new ${i}`, i, undefined)
  expect(map.size).toBe(4_000)
  expect(clock.pending()).toBe(0)
})

test('under steady turnover what is held stays near what is alive', () => {
  const clock = createFakeClock()
  const map = createExpiringMap<number>(clock)
  let most = 0
  for (let i = 0; i < 50_000; i++) {
    map.set(String(i), i, 1_000)
    clock.advance(1)
    most = Math.max(most, map.size)
  }
  expect(most).toBeLessThan(1_500)
})

test('a scan gives what lived throughout, though others come and go meanwhile', () => {
  const clock = createFakeClock()
  const map = createExpiringMap<number>(clock)
  for (let i = 0; i < 1_000; i++) map.set(`k${i}`, i, i % 2 ? undefined : 10)
  const scan = map.scan()
  const found = scan.next(100).keys
  clock.advance(10)
  map.delete('k1')
  for (let done = false; !done; ) {
    map.set(`extra ${found.length}`, 1, undefined)
    const page = scan.next(100)
    found.push(...page.keys)
    done = page.done
  }
  const odd = Array.from({ length: 500 }, (_, i) => `k${i * 2 + 1}`)
  expect(odd.filter((key) => !found.includes(key))).toEqual([])
})
