import { randomUUID } from 'node:crypto'
import type { Kv } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { createFakeClock, longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { LimitedCaller } from './contract.ts'
import { createGatewayLimits } from './gateway-limits.ts'

const known = new Set(['alpha', 'beta'])
const names = {
  refOf: (_: string, name: string) =>
    known.has(name) ? { server_id: 'dataagent', name } : undefined,
}
const aCaller = (): LimitedCaller => ({ group_id: randomUUID(), quota_key: 'g.1' })
const call = (name: string) => ({ method: 'tools/call', params: { name } })
const list = { method: 'tools/list' }

type Limits = ReturnType<typeof createGatewayLimits>
type Request = Parameters<Limits['take']>[1]

/** How many of `times` requests pass. */
async function passes(
  limits: Limits,
  { caller, request, times }: { caller: LimitedCaller; request: Request; times: number },
) {
  let passed = 0
  for (let n = 0; n < times; n++) {
    if ((await limits.take(caller, request)).status === 'ok') passed += 1
  }
  return passed
}

describeKv('limits of the gateway', ({ kv, other, clock, elapse }) => {
  test('by default 120 lists and 240 calls of a tool fit in a minute [E5.1]', async () => {
    const limits = createGatewayLimits({ kv, names, clock })
    const caller = aCaller()
    expect(await passes(limits, { caller, request: list, times: 130 })).toBe(120)
    expect(await passes(limits, { caller, request: call('alpha'), times: 250 })).toBe(240)
    expect(await passes(limits, { caller, request: { method: 'initialize' }, times: 250 })).toBe(
      240,
    )
  })

  test('groups, keys, methods and tools count apart, tools that are not there together [E5.1]', async () => {
    const settings = { call_limit: 3, list_limit: 2 }
    const limits = createGatewayLimits({ kv, names, clock, settings })
    const caller = aCaller()
    const pass = (request: Request, who = caller) =>
      passes(limits, { caller: who, request, times: 5 })
    expect([await pass(call('alpha')), await pass(call('beta'))]).toEqual([3, 3])
    expect([await pass(call('made up 1')), await pass(call('made up 2'))]).toEqual([3, 0])
    expect(await pass({ method: 'tools/call', params: { name: 7 } })).toBe(0)
    expect([await pass(list), await pass({ method: 'prompts/list' })]).toEqual([2, 2])
    expect([await pass({ method: 'x/1' }), await pass({ method: 'x/2' })]).toEqual([3, 0])
    expect(await pass(call('alpha'), { ...caller, quota_key: 'g.2' })).toBe(3)
    expect(await pass(call('alpha'), aCaller())).toBe(3)
    const odd = { group_id: `${caller.group_id}:g.1`, quota_key: 'x'.repeat(900) }
    expect(await pass(call('alpha'), odd)).toBe(3)
  })

  test('answers and cancels count by session, and nothing else does [E5.1]', async () => {
    const limits = createGatewayLimits({ kv, names, clock, settings: { call_limit: 3 } })
    const caller = aCaller()
    const pass = (method: string, session_id: string) =>
      passes(limits, { caller, request: { method, session_id }, times: 5 })
    expect([await pass('ping', 'one'), await pass('ping', 'two')]).toEqual([3, 0])
    for (const method of ['answer', 'notifications/cancelled']) {
      expect([await pass(method, 'one'), await pass(method, 'two')]).toEqual([3, 3])
    }
  })

  test('a burst in two processes passes the limit by none, and names when to come back [E5.1]', async () => {
    const settings = { call_limit: 50, window_seconds: 2 }
    const limits = [kv, other].map((each) =>
      createGatewayLimits({ kv: each, names, clock, settings }),
    )
    const caller = aCaller()
    const burst = Array.from({ length: longCount(200, 5_000) }, (_, n) =>
      limits[n % 2]!.take(caller, call('alpha')),
    )
    const verdicts = await Promise.all(burst)
    expect(verdicts.filter(({ status }) => status === 'ok')).toHaveLength(50)
    const limited = verdicts.find((verdict) => verdict.status === 'limited')!
    expect(limited.retryAfterMs).toBeGreaterThan(0)
    expect(limited.retryAfterMs).toBeLessThanOrEqual(2_100)
    await elapse(2_100)
    expect((await limits[0]!.take(caller, call('alpha'))).status).toBe('ok')
  })
})

describe('limits of the gateway', () => {
  test('a request asks the KV once, and not at all where limits are off [E5.1] [E7.1]', async () => {
    let asked = 0
    await using kv = createMemoryKv()
    const counting: Pick<Kv, 'count'> = {
      count: (...args) => {
        asked += 1
        return kv.count(...args)
      },
    }
    const on = createGatewayLimits({ kv: counting, names })
    await on.take(aCaller(), call('alpha'))
    expect(asked).toBe(1)
    const off = createGatewayLimits({
      kv: counting,
      names,
      settings: { enabled: false, call_limit: 0 },
    })
    const request = call('alpha')
    expect(await passes(off, { caller: aCaller(), request, times: 10 })).toBe(10)
    expect(asked).toBe(1)
  })

  test('while the KV is away it counts on from what it knew, and when it is back from that [E5.1]', async () => {
    const clock = createFakeClock()
    await using kv = createMemoryKv({ clock })
    let isAway = false
    const limits = createGatewayLimits({
      names,
      kv: {
        count: async (...args) => {
          if (isAway) throw new AppError('store_unavailable', 'away')
          return kv.count(...args)
        },
      },
      clock,
      settings: { call_limit: 10 },
    })
    const caller = aCaller()
    const pass = (times: number) => passes(limits, { caller, request: call('alpha'), times })
    expect(await pass(4)).toBe(4)
    isAway = true
    expect(await pass(4)).toBe(4)
    isAway = false
    expect(await pass(1)).toBe(1)
    isAway = true
    expect(await pass(5)).toBe(1)
    const verdict = await limits.take(caller, call('alpha'))
    expect(verdict).toEqual({ status: 'limited', retryAfterMs: 60_000 })
    isAway = false
    expect(await pass(5)).toBe(0)
    clock.advance(61_000)
    expect(await pass(20)).toBe(10)
    clock.advance(59_000)
    expect(await pass(20)).toBe(0)
    isAway = true
    clock.advance(30_000)
    expect(await pass(20)).toBe(0)
    clock.advance(30_000)
    expect(await pass(20)).toBe(10)
  })
})
