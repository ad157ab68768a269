import { expect, test } from 'vitest'
import { createFakeClock } from './fake-clock.ts'

test('time stands still until it is advanced', () => {
  const clock = createFakeClock({ now: 1_000 })
  expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0])
  clock.advance(250)
  expect([clock.now(), clock.monotonic()]).toEqual([1_250, 250])
})

test('due timers run in order of their time, then of their creation, each at its own moment', () => {
  const clock = createFakeClock()
  const ran: string[] = []
  const note = (name: string) => () => ran.push(`${name}@${clock.monotonic()}`)
  clock.after(30, note('c'))
  clock.after(10, note('a'))
  clock.after(10, note('b'))
  clock.after(31, note('later'))
  clock.advance(30)
  expect(ran).toEqual(['a@10', 'b@10', 'c@30'])
  expect(clock.pending()).toBe(1)
})

test('a timer set by a timer runs in the same advance when it falls due in it', () => {
  const clock = createFakeClock()
  const ran: number[] = []
  const tick = () => {
    ran.push(clock.monotonic())
    clock.after(10, tick)
  }
  clock.after(10, tick)
  clock.advance(35)
  expect(ran).toEqual([10, 20, 30])
})

test('a cancelled timer does not run', () => {
  const clock = createFakeClock()
  let ran = false
  const cancel = clock.after(5, () => {
    ran = true
  })
  cancel()
  clock.advance(10)
  expect(ran).toBe(false)
})

test('advanceAsync runs timers that were set after an await', async () => {
  const clock = createFakeClock()
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
  const seen: number[] = []
  const loop = (async () => {
    for (let i = 0; i < 3; i++) {
      await sleep(100)
      seen.push(clock.monotonic())
    }
  })()
  await clock.advanceAsync(300)
  await loop
  expect(seen).toEqual([100, 200, 300])
})

test('a wall clock jump moves now() but neither monotonic time nor timers', () => {
  const clock = createFakeClock({ now: 0 })
  let ran = false
  clock.after(1_000, () => {
    ran = true
  })
  clock.jump(3_600_000)
  expect([clock.now(), clock.monotonic(), ran]).toEqual([3_600_000, 0, false])
})
