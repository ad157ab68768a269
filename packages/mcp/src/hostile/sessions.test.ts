import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Authorizer } from '../auth/contract.ts'
import { createMcpManager } from '../manager/manager.ts'
import { connectTo } from './test-connect.ts'
import { startHostile } from './test-hostile.ts'
import { failureOf, range } from './test-outcomes.ts'

describe.each(['http', 'sse'] as const)('a server over %s', (transport) => {
  test('that loses our session gets a new one, and no call is done twice', async () => {
    await using hostile = await startHostile(transport, 'session_lost', { after: 1, times: 1 })
    await using manager = createMcpManager()
    await manager.addServer(hostile.config('bad'))
    expect(await manager.callTool('mcp.bad.count')).toBe('1')
    const second = await manager.callTool('mcp.bad.count').catch(({ kind }) => kind)
    expect(['2', 'session_lost', 'unavailable', 'http']).toContain(second)
    const third = await waitFor(() => manager.callTool('mcp.bad.count'))
    expect(third).toBe(second === '2' ? '3' : '2')
    expect(hostile.notes('effect')).toHaveLength(Number(third))
  })

  test('that is too busy is asked again', async () => {
    await using hostile = await startHostile(transport, 'too_many_requests', { times: 2 })
    await using manager = createMcpManager()
    await manager.addServer(hostile.config('bad'))
    expect(await manager.callTool('mcp.bad.count')).toBe('1')
  })

  test('that fails after it has acted is asked again only where that does no harm', async () => {
    await using hostile = await startHostile(transport, 'server_errors')
    await using manager = createMcpManager()
    await manager.addServer(hostile.config('bad'))
    const { statusCode } = await failureOf(manager.callTool('mcp.bad.count'))
    expect(statusCode).toBe(503)
    expect(hostile.notes('effect')).toEqual(['count'])
  })

  test('that asks 1,000 questions at once is answered by a few requests at a time', async () => {
    await using hostile = await startHostile(transport, 'request_flood', { count: 1_000 })
    await using rig = await connectTo(hostile)
    expect(await rig.call('count')).toBe('1')
    const answers = () => hostile.notes('received').filter((method) => method === 'response')
    await waitFor(() => answers().length === 1_000, { timeoutMs: 25_000 })
    expect(Math.max(...hostile.notes('connection').map(Number))).toBeLessThan(48)
  })

  test('whose token ends mid-run is given a new one, asked for once', async () => {
    await using hostile = await startHostile(transport, 'unauthorized', { after: 2 })
    const authorizer = createRenewing()
    await using rig = await connectTo(hostile, { authorizer })
    const calls = range(longCount(20, 1_000)).map((n) => rig.call('echo', { message: `${n}` }))
    const texts = await Promise.all(calls)
    expect(texts).toEqual(range(texts.length).map(String))
    expect(authorizer.renewals()).toBe(1)
  })
})

/** Hands out `stale` until it is refused, then `fresh`. */
function createRenewing(): Authorizer & { renewals(): number } {
  let token = 'stale'
  let renewals = 0
  return {
    renewals: () => renewals,
    headers: async () => ({ authorization: `Bearer ${token}` }),
    async challenged(_challenge, { sent }) {
      if (sent.authorization !== `Bearer ${token}`) return
      token = 'fresh'
      renewals += 1
    },
  }
}
