import { expect, test } from 'vitest'
import { afterInSlices, systemClock } from './clock.ts'

const passed = (ms: number) => new Promise<void>((resolve) => systemClock.after(ms, resolve))

test.each([2 ** 31, 3e9, Number.POSITIVE_INFINITY])(
  'a timer of %d ms has not fired when one of 50 ms has',
  async (ms) => {
    let fired = false
    const cancel = systemClock.after(ms, () => {
      fired = true
    })
    await passed(50)
    cancel()
    expect(fired).toBe(false)
  },
)

test('a timer of several slices fires once, and not before its time', async () => {
  const started = performance.now()
  let fired = 0
  await new Promise<void>((resolve) => {
    afterInSlices(100, 30, () => {
      fired += 1
      resolve()
    })
  })
  // Node.js rounds to whole milliseconds.
  expect(performance.now() - started).toBeGreaterThan(98)
  await passed(60)
  expect(fired).toBe(1)
})

test.each([0, -5])('a timer of %d ms fires at once, without a warning', async (ms) => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  await passed(ms)
  await passed(5)
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})

test('a timer can be cancelled in a later slice', async () => {
  let fired = false
  const cancel = afterInSlices(200, 20, () => {
    fired = true
  })
  await passed(50)
  cancel()
  await passed(200)
  expect(fired).toBe(false)
})
