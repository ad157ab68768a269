import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { McpError } from '../errors.ts'
import { connectTo, isReady } from './test-connect.ts'
import { countCalls, startHostile, transports } from './test-hostile.ts'
import { failureOf, longTestMs, quantile, range, timed } from './test-outcomes.ts'
import { countHandles, expectNoHandlesBeyond, tell, usedHeap } from './test-watch.ts'

const rounds = longCount(5, 1_000)

describe.each(transports)('a server over %s that dies while a tool runs', (transport) => {
  test(
    `is told at once each of ${rounds} times, comes back, and leaves nothing behind [F1]`,
    async () => {
      const before = { handles: countHandles(), heap: usedHeap() }
      const delays: number[] = []
      {
        await using hostile = await startHostile(transport, 'crash_mid_call')
        await using rig = await connectTo(hostile)
        for (let round = 0; round < rounds; round += 1) {
          await waitFor(() => isReady(rig), { what: 'ready again' })
          const call = () => failureOf(rig.call('count')).then(expectGone)
          delays.push(await timed(call))
        }
        expect(hostile.notes('effect')).toHaveLength(rounds)
      }
      expect(quantile(delays, 0.5)).toBeLessThan(250)
      await expectNoHandlesBeyond(before.handles)
      expect(usedHeap() - before.heap).toBeLessThan(16e6)
      tell(`crash over ${transport}`, {
        median: quantile(delays, 0.5),
        p99: quantile(delays, 0.99),
      })
    },
    longTestMs,
  )
})

test.each(['stdio', 'sse'] as const)(
  'its end over %s fails every call under way [F1]',
  async (way) => {
    await using hostile = await startHostile(way, 'crash_mid_call', { after: 10 })
    await using rig = await connectTo(hostile)
    const waiting = range(10).map(() => failureOf(rig.call('slow', { ms: 60_000 })))
    await waitFor(() => countCalls(hostile) === 10)
    const failures = await Promise.all([...waiting, failureOf(rig.call('count'))])
    for (const failure of failures) expectGone(failure)
  },
)

function expectGone({ kind, mayHaveRun }: McpError): void {
  expect(['closed', 'network']).toContain(kind)
  expect(mayHaveRun).toBe(true)
}
