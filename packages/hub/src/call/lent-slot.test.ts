import { expect, test } from 'vitest'
import { createFairSlots } from '../limits/index.ts'
import { createLentSlot } from './lent-slot.ts'

const context = () => ({ signal: new AbortController().signal })

function setUp() {
  const slots = createFairSlots({ max: 1, perTenantWaiting: 10 })
  const lent = createLentSlot(slots, 't', slots.take('t')!)
  const answer = Promise.withResolvers<string>()
  return { slots, lent, answer }
}

test('while a question is open another call runs, and the answer waits for it to end', async () => {
  const { slots, lent, answer } = setUp()
  const asked = lent.during(() => answer.promise, context())
  const other = slots.take('t')!
  const late = slots.acquire('t')
  const order: string[] = []
  void asked.then((text) => order.push(text))
  void Promise.resolve(late).then(() => order.push('late'))
  answer.resolve('answer')
  await Promise.resolve()
  expect([order, slots.running]).toEqual([[], 1])
  other.release()
  await asked
  expect([order, slots.running]).toEqual([['answer'], 1])
  lent.release()
  await late
  expect(slots.running).toBe(1)
})

test('several questions lend it once, and the last one takes it back once', async () => {
  const { slots, lent, answer } = setUp()
  const second = Promise.withResolvers<string>()
  const asked = [answer, second].map(({ promise }) => lent.during(() => promise, context()))
  answer.resolve('a')
  expect([await asked[0], slots.running]).toEqual(['a', 0])
  second.resolve('b')
  expect([await asked[1], slots.running]).toEqual(['b', 1])
  lent.release()
  lent.release()
  expect(slots.running).toBe(0)
})

test('a call that ends, or whose caller leaves, while it is asked holds nothing', async () => {
  const { slots, lent, answer } = setUp()
  const leaving = new AbortController()
  const asked = lent.during(() => answer.promise, { signal: leaving.signal })
  const other = slots.take('t')!
  answer.resolve('a')
  leaving.abort()
  expect(await asked).toBe('a')
  lent.release()
  other.release()
  expect([slots.running, slots.waiting]).toEqual([0, 0])
})
