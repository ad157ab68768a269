import { longCount, waitFor } from '@dataagent/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { connectTo } from './test-connect.ts'
import { countCalls, startHostile, transports } from './test-hostile.ts'
import { failureOf, longTestMs, range } from './test-outcomes.ts'
import { expectFreeLoop, tell, usedHeap, watchLoop } from './test-watch.ts'

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

describe.each(transports)('junk over %s', (transport) => {
  const [calls, count] = [longCount(2, 20), longCount(2_000, 160_000)]

  test(
    `among ${calls * count} messages that are almost right, the right answers are found [F3, F4]`,
    async () => {
      await using hostile = await startHostile(transport, 'fuzz', { count })
      await using rig = await connectTo(hostile)
      const heap = usedHeap()
      const loop = watchLoop()
      for (const call of range(calls)) {
        expect(await rig.call('echo', { message: `call ${call}` })).toBe(`call ${call}`)
      }
      const loopMs = loop.stop()
      expectFreeLoop(loopMs)
      expect(usedHeap() - heap).toBeLessThan(16e6)
      tell(`${calls * count} odd messages over ${transport}`, { loop: loopMs })
    },
    longTestMs,
  )

  test(
    'answers in any order reach the calls that they belong to',
    async () => {
      await using hostile = await startHostile(transport, 'shuffled')
      await using rig = await connectTo(hostile)
      for (const round of range(longCount(2, 100))) {
        const messages = range(100).map((n) => `${round} ${n}`)
        const texts = await Promise.all(messages.map((message) => rig.call('echo', { message })))
        expect(texts).toEqual(messages)
      }
    },
    longTestMs,
  )

  test.each([65, 1_000, 1_000_000])(
    'an answer %d levels deep fails its call alone [T17]',
    async (count) => {
      await using hostile = await startHostile(transport, 'garbage_deep', { count, times: 1 })
      await using rig = await connectTo(hostile)
      const loop = watchLoop()
      const failure = failureOf(rig.call('echo', { message: 'lost' }))
      await waitFor(() => countCalls(hostile) === 1)
      const other = rig.call('echo', { message: 'here' })
      expect((await failure).kind).toBe('protocol')
      expect(await other).toBe('here')
      expectFreeLoop(loop.stop())
    },
  )
})
