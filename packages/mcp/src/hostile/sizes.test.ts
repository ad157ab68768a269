import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { connectTo, isReady } from './test-connect.ts'
import { startHostile, transports } from './test-hostile.ts'
import { failureOf, timed } from './test-outcomes.ts'
import { expectFreeLoop, tell, watchLoop, watchMemory } from './test-watch.ts'

const limit = 16 * 1024 * 1024
const ways = [...transports.map((way) => [way, 'sse'] as const), ['http', 'json'] as const]

describe.each(ways)('a message of 100 MB over %s, as %s', (transport, reply) => {
  test('is cut at the limit: its call fails at once, the next one is answered [F5]', async () => {
    await using hostile = await startHostile(transport, 'big_message', { reply, times: 1 })
    await using rig = await connectTo(hostile)
    const loop = watchLoop()
    const memory = watchMemory()
    const tookMs = await timed(async () => {
      const { kind, mayHaveRun } = await failureOf(rig.call('count'))
      expect({ kind, mayHaveRun }).toEqual({ kind: 'too_large', mayHaveRun: true })
    })
    const figures = { took: tookMs, loop: loop.stop(), 'MB more': memory.stop() / 1e6 }
    expect(figures.took).toBeLessThan(2_500)
    expectFreeLoop(figures.loop)
    expect(figures['MB more']).toBeLessThan((2 * limit + 48e6) / 1e6)
    await waitFor(() => isReady(rig), { what: 'ready again' })
    expect(await rig.call('echo', { message: 'on' })).toBe('on')
    tell(`100 MB over ${transport} as ${reply}`, figures)
  })
})

const bytes = longCount(16e6, 128e6)

test(`a flood of ${bytes / 1e6} MB on stderr is kept to its end, and does not hold up a call or the close [F6]`, async () => {
  await using hostile = await startHostile('stdio', 'stderr_flood', { bytes })
  const rig = await connectTo(hostile, { timeoutMs: 60_000 })
  const loop = watchLoop()
  const memory = watchMemory()
  expect(await rig.call('count')).toBe('1')
  const closeMs = await timed(() => rig[Symbol.asyncDispose]())
  const figures = { close: closeMs, loop: loop.stop(), 'MB more': memory.stop() / 1e6 }
  expect(figures.close).toBeLessThan(5_000)
  expectFreeLoop(figures.loop)
  expect(figures['MB more']).toBeLessThan(48)
  tell(`${bytes / 1e6} MB of stderr`, figures)
})
