import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { connectTo } from './test-connect.ts'
import { countCalls, startHostile, transports } from './test-hostile.ts'
import { failureOf, longTestMs, quantile, range, timed } from './test-outcomes.ts'
import {
  countHandles,
  expectFreeLoop,
  expectNoHandlesBeyond,
  tell,
  watchLoop,
} from './test-watch.ts'

describe.each(transports)('a server over %s that does not answer', (transport) => {
  const [count, timeoutMs] = [longCount(20, 500), longCount(400, 2_500)]

  test(
    `${count} calls at once end at their deadline, are cancelled there, and free their place [F2]`,
    async () => {
      const before = countHandles()
      const times: number[] = []
      let loopMs = 0
      {
        await using hostile = await startHostile(transport, 'none')
        await using rig = await connectTo(hostile)
        const loop = watchLoop()
        const hang = () => rig.connection.callTool('slow', { ms: 60_000 }, { timeoutMs })
        await Promise.all(
          range(count).map(async () => times.push(await timed(() => expectTimeout(hang())))),
        )
        loopMs = loop.stop()
        await waitFor(() => hostile.notes('cancelled').length === count)
        expect(await rig.call('echo', { message: 'on' })).toBe('on')
      }
      expect(Math.min(...times)).toBeGreaterThan(timeoutMs - 10)
      expect(Math.max(...times)).toBeLessThan(timeoutMs + 1_000)
      expectFreeLoop(loopMs)
      await expectNoHandlesBeyond(before)
      const late = quantile(times, 0.99) - timeoutMs
      tell(`${count} hung calls over ${transport}`, { late, loop: loopMs })
    },
    longTestMs,
  )

  test(
    'a call that its caller gives up ends at once and is cancelled there',
    async () => {
      await using hostile = await startHostile(transport, 'none')
      await using rig = await connectTo(hostile)
      const delays: number[] = []
      for (const round of range(longCount(10, 1_000))) {
        const giving = new AbortController()
        const { signal } = giving
        const call = failureOf(rig.connection.callTool('slow', { ms: 60_000 }, { signal }))
        await waitFor(() => countCalls(hostile) === round + 1)
        giving.abort()
        delays.push(await timed(() => call))
        expect((await call).kind).toBe('cancelled')
        await waitFor(() => hostile.notes('cancelled').length === round + 1)
      }
      expect(quantile(delays, 0.5)).toBeLessThan(50)
    },
    longTestMs,
  )
})

async function expectTimeout(call: Promise<unknown>): Promise<void> {
  const { kind, mayHaveRun } = await failureOf(call)
  expect({ kind, mayHaveRun }).toEqual({ kind: 'timeout', mayHaveRun: true })
}
