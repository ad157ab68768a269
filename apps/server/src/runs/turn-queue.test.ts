import { systemClock } from '@dataagent/guard'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTurnQueue } from './turn-queue.ts'

/** A queue with one place that is taken, and who came in after it, in order. */
async function createFull({ max = 1, maxWaiting = 100 } = {}) {
  const queue = createTurnQueue({ max, maxWaiting, clock: systemClock })
  const taken = await Promise.all(Array.from({ length: max }, () => queue.enter('first')))
  const admitted: string[] = []
  const come = (tenant_id: string, signal?: AbortSignal) =>
    queue.enter(tenant_id, signal).then((turn) => {
      admitted.push(tenant_id)
      return turn
    })
  return { queue, taken, admitted, come }
}

test('tenants take turns, however many one of them has waiting [D35.5]', async () => {
  const { taken, admitted, come } = await createFull()
  const waiting = ['a', 'a', 'a', 'a', 'b', 'c'].map((tenant) => come(tenant))
  taken[0]?.leave()
  for (const turn of waiting) void turn.then((one) => one.leave())
  await Promise.all(waiting)
  expect(admitted).toEqual(['a', 'b', 'c', 'a', 'a', 'a'])
})

test('no more run at once than may, and every place is given again', async () => {
  const queue = createTurnQueue({ max: 3, maxWaiting: 1_000, clock: systemClock })
  let most = 0
  const run = async (tenant: number) => {
    const turn = await queue.enter(`tenant-${tenant % 7}`)
    most = Math.max(most, queue.running)
    await new Promise(setImmediate)
    turn.leave()
    turn.leave()
  }
  await Promise.all(Array.from({ length: 200 }, (_, i) => run(i)))
  expect({ most, running: queue.running, waiting: queue.waiting }).toEqual({
    most: 3,
    running: 0,
    waiting: 0,
  })
})

test('who waits for a person holds no place, and has one again at once', async () => {
  const { queue, taken, come } = await createFull()
  const other = come('b')
  taken[0]?.pause()
  await other
  taken[0]?.resume()
  expect(queue.running).toBe(2)
  taken[0]?.leave()
  expect(queue.running).toBe(1)
})

test('one too many is sent away with a time to come back [D23.6]', async () => {
  const { taken, come } = await createFull({ maxWaiting: 1 })
  const waiting = come('a')
  await expect(come('b')).rejects.toMatchObject({
    code: 'unavailable',
    data: { retryAfterMs: 2_000 },
  })
  taken[0]?.leave()
  await waiting
})

test('who waits too long is sent away, and the next one is not held up by it', async () => {
  const clock = createFakeClock()
  const queue = createTurnQueue({ max: 1, maxWaiting: 10, clock, patienceMs: 100 })
  const first = await queue.enter('a')
  const late = queue.enter('a')
  const refusal = expect(late).rejects.toMatchObject({ code: 'unavailable' })
  await clock.advance(100)
  await refusal
  const next = queue.enter('b')
  first.leave()
  await expect(next).resolves.toBeDefined()
})

test('who leaves while waiting is forgotten', async () => {
  const { queue, taken, admitted, come } = await createFull()
  const leaving = new AbortController()
  const left = come('a', leaving.signal)
  const stays = come('b')
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  taken[0]?.leave()
  await stays
  expect(admitted).toEqual(['b'])
  expect(queue.waiting).toBe(0)
})
