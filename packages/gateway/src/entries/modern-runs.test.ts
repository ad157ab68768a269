import { setImmediate as nextTurn } from 'node:timers/promises'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Reply } from '../protocol/index.ts'
import { createModernRuns, type RunParts, type TurnEnd, type TurnWay } from './modern-runs.ts'

const way: TurnWay = { signal: new AbortController().signal, send() {} }
const call = { bound: () => 'mine', quota_key: 'g.1', inputResponses: undefined }
const done: Reply = { kind: 'result', result: { text: 'done' } }
const held = 600_000

const ask = ({ ask }: RunParts) =>
  ask('elicitation/create', {}, { signal: new AbortController().signal })

function setUp() {
  const clock = createFakeClock()
  const runs = createModernRuns({ clock })

  /** A call that asks, and goes on without an answer when it is told to end. */
  async function park() {
    const over = Promise.withResolvers<Reply>()
    const turn = await runs.begin(call, way, (parts) => {
      ask(parts).catch(() => {})
      return over.promise
    })
    const end = async () => {
      over.resolve(done)
      await nextTurn()
    }
    const fail = async () => {
      over.reject(new Error('broken'))
      await nextTurn()
    }
    return { turn, end, fail }
  }

  const comeBack = (turn: TurnEnd) => {
    if (turn.kind !== 'asks') throw new Error('it did not ask')
    const { run_id, round } = turn
    return runs.resume({ run_id, round, bound: 'mine', inputResponses: {} }, way)
  }
  return { clock, runs, park, comeBack }
}

test('a call that ends while its client is away tells how when it comes back, once [E1.2]', async () => {
  const { park, comeBack } = setUp()
  const { turn, end } = await park()
  await end()
  expect(await comeBack(turn)).toEqual({ kind: 'reply', reply: done })
  expect(comeBack(turn)).toBeUndefined()
})

test('a call that fails while its client is away fails when it comes back [E1.2]', async () => {
  const { park, comeBack } = setUp()
  const { turn, fail } = await park()
  await fail()
  await expect(comeBack(turn)).rejects.toThrow('broken')
})

test('what nobody comes back for is kept for ten minutes, and counts as long [E1.2][E5.1]', async () => {
  const { clock, runs, park, comeBack } = setUp()
  const fifty = await Promise.all(Array.from({ length: 50 }, park))
  for (const { end } of fifty) await end()
  const [first, second] = fifty.map(({ turn }) => turn)
  const onceMore = () => runs.begin(call, way, (parts) => ask(parts).then(() => done))
  await expect(onceMore()).rejects.toMatchObject({ code: 'rate_limited' })
  clock.advance(held - 1)
  expect(await comeBack(first!)).toEqual({ kind: 'reply', reply: done })
  expect((await onceMore()).kind).toBe('asks')
  clock.advance(1)
  expect(comeBack(second!)).toBeUndefined()
  for (let n = 0; n < 49; n++) expect((await onceMore()).kind).toBe('asks')
})

test('a call that ends as it asks is answered, and waits for nobody [E1.2]', async () => {
  const { runs, park } = setUp()
  for (let n = 0; n < 60; n++) {
    const turn = await runs.begin(call, way, async (parts) => {
      ask(parts).catch(() => {})
      return done
    })
    expect(turn).toEqual({ kind: 'reply', reply: done })
    await nextTurn()
  }
  expect((await park()).turn.kind).toBe('asks')
})
