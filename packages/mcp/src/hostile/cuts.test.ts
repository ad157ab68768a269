import {
  type HostileHttp,
  longCount,
  startFaultProxy,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createMcpManager } from '../manager/manager.ts'
import { connectBy, connectTo, isReady } from './test-connect.ts'
import { startHostile, transports } from './test-hostile.ts'
import { failureOf, longTestMs, timed } from './test-outcomes.ts'
import { tell } from './test-watch.ts'

const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1"}]}}'
const overHttp = ['http', 'sse'] as const

describe.each(overHttp)('an answer over %s that is cut off', (transport) => {
  const step = longCount(7, 1)

  test(
    `at any byte, in steps of ${step}, is no answer, and the tool is not run again [F9]`,
    async () => {
      const length = `event: message\ndata: ${answer}\n\n`.length
      await using server = await startHostileHttp('none')
      await using rig = await connectBy(toConfig(transport, server))
      let calls = 0
      for (let bytes = 0; bytes < length; bytes += step) {
        await waitFor(() => isReady(rig), { what: 'ready again' })
        await server.set('cut_in_answer', { bytes })
        const { kind, mayHaveRun } = await failureOf(rig.call('count'))
        await server.set('none')
        calls += 1
        expect(['network', 'closed']).toContain(kind)
        expect(mayHaveRun).toBe(true)
        expect(server.notes('effect')).toHaveLength(calls)
      }
    },
    longTestMs,
  )
})

test(
  'a line over stdio that is cut off at any byte is no answer',
  async () => {
    for (let bytes = 0; bytes <= answer.length; bytes += longCount(25, 1)) {
      await using hostile = await startHostile('stdio', 'cut_in_answer', { bytes })
      await using rig = await connectTo(hostile)
      expect((await failureOf(rig.call('count'))).kind).toBe('closed')
      expect(hostile.notes('effect')).toEqual(['count'])
    }
  },
  longTestMs,
)

test.each(transports)(
  'after a cut over %s a tool runs again only if that does no harm [F9]',
  async (way) => {
    for (const [tool, effects] of [
      ['touch', 2],
      ['count', 1],
    ] as const) {
      await using hostile = await startHostile(way, 'cut_in_answer', {
        bytes: 30,
        times: 1,
        lives: 1,
      })
      await using manager = createMcpManager()
      await manager.addServer({ ...hostile.config('bad'), maxRetries: 8 })
      const outcome = await manager.callTool(`mcp.bad.${tool}`).catch(({ kind }) => kind)
      expect(hostile.notes('effect')).toHaveLength(effects)
      if (tool === 'touch') expect(outcome).toBe('2')
      else expect(['network', 'closed']).toContain(outcome)
    }
  },
)

describe.each(overHttp)('a server over %s that has gone without a word', (transport) => {
  test.each(['black_hole', 'half_open'] as const)(
    'is missed and found again (%s) [F8]',
    async (kind) => {
      await using server = await startHostileHttp('none')
      await using proxy = await startFaultProxy({ target: new URL(server.url).origin })
      const healthEveryMs = longCount(400, 2_000)
      await using rig = await connectBy(toConfig(transport, server, proxy.url), {
        healthEveryMs,
        timeoutMs: 2_000,
      })
      await proxy.set({ kind })
      const lostMs = await timed(() => waitFor(() => !isReady(rig), { timeoutMs: 30_000 }))
      expect(lostMs).toBeLessThan(healthEveryMs * 5)
      expect((await failureOf(rig.call('count'))).kind).toBe('unavailable')
      expect(server.notes('effect')).toEqual([])
      await proxy.set({ kind: 'pass' })
      await waitFor(() => isReady(rig), { timeoutMs: 30_000, what: 'ready again' })
      expect(await rig.call('count')).toBe('1')
      tell(`${kind} over ${transport}`, { missed: lostMs, every: healthEveryMs })
    },
  )
})

function toConfig(transport: 'http' | 'sse', server: HostileHttp, origin = server.url) {
  const { pathname } = new URL(transport === 'http' ? server.url : server.sseUrl)
  return { name: 'bad', transport, url: new URL(pathname, origin).href }
}
