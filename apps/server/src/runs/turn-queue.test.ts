import { systemClock } from '@dataagent/guard'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTurnQueue, type Turn } from './turn-queue.ts'

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

test('tenants take turns, however many one of them has waiting [D35.5] [T47]', async () => {
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

test('who waits for a person holds no place, and has one again when one is free', async () => {
  const { queue, taken, come } = await createFull()
  const [first] = taken
  const other = come('b')
  first?.pause()
  const turn = await other
  first?.resume()
  expect(queue.running).toBe(1)
  let isReady = false
  const ready = first?.ready().then(() => (isReady = true))
  await new Promise(setImmediate)
  expect(isReady).toBe(false)
  turn.leave()
  await ready
  expect(queue.running).toBe(1)
  first?.leave()
  expect(queue.running).toBe(0)
})

test('300 that are approved at once run no more at once than may [D23.6]', async () => {
  const queue = createTurnQueue({ max: 5, maxWaiting: 0, clock: systemClock })
  const turns: Turn[] = []
  for (let at = 0; at < 300; at += 1) {
    const turn = await queue.enter(`tenant-${at % 3}`)
    turn.pause()
    turns.push(turn)
  }
  let most = 0
  const goOn = async (turn: Turn) => {
    turn.resume()
    await turn.ready()
    most = Math.max(most, queue.running)
    await new Promise(setImmediate)
    turn.leave()
  }
  await Promise.all(turns.map(goOn))
  expect({ most, running: queue.running }).toEqual({ most: 5, running: 0 })
})

test('who has been approved goes on before new turns of its tenant', async () => {
  const { queue, taken, come, admitted } = await createFull()
  const [first] = taken
  first?.pause()
  const second = await queue.enter('first')
  const fresh = come('first')
  first?.resume()
  second.leave()
  await first?.ready()
  expect(admitted).toEqual([])
  first?.leave()
  await fresh
})

test('who leaves, is cancelled or asks a person again while it waits takes no place', async () => {
  const { queue, taken } = await createFull({ max: 2 })
  for (const turn of taken) turn.pause()
  const holders = [await queue.enter('b'), await queue.enter('b')]
  const [one, two] = taken
  const cancel = new AbortController()
  one?.resume()
  two?.resume()
  const cancelled = one?.ready(cancel.signal)
  cancel.abort(new Error('gone'))
  await expect(cancelled).rejects.toThrow('gone')
  one?.leave()
  two?.pause()
  await two?.ready()
  for (const holder of holders) holder.leave()
  expect(queue.running).toBe(0)
  two?.resume()
  expect(queue.running).toBe(1)
})

test("a tenant's full line keeps nobody out who may run or wait [D35.5]", async () => {
  const limits = { max: 4, perTenant: 2, maxWaiting: 4, waitingPerTenant: 3 }
  const queue = createTurnQueue({ ...limits, clock: systemClock })
  const own = [await queue.enter('a'), await queue.enter('a')]
  const waiting = [queue.enter('a'), queue.enter('a'), queue.enter('a')]
  await expect(queue.enter('a')).rejects.toMatchObject({ code: 'unavailable' })
  const others = [await queue.enter('b'), await queue.enter('c')]
  const patient = queue.enter('b')
  expect([queue.running, queue.waiting]).toEqual([4, 4])
  await expect(queue.enter('c')).rejects.toMatchObject({ code: 'unavailable' })
  for (const turn of [...own, ...others]) turn.leave()
  for (const turn of [...waiting, patient]) void turn.then((one) => one.leave())
  await Promise.all([...waiting, patient])
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
