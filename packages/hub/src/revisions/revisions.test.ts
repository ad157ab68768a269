import { AppError } from '@dataagent/schema'
import { describeKv } from '@dataagent/store/kv/describe-kv'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Kv } from '../kv-port.ts'
import { type Topic, topics } from './contract.ts'
import { createRevisions } from './revisions.ts'
import { createTestRevisionRows } from './test-revision-rows.ts'

const deaf: Pick<Kv, 'publish' | 'subscribe'> = {
  publish: async () => {},
  subscribe: async () => async () => {},
}

function setUp(kv = deaf) {
  const clock = createFakeClock()
  const rows = createTestRevisionRows()
  const errors: unknown[] = []
  const revisions = createRevisions({ rows, kv, clock, onError: (error) => errors.push(error) })
  const loaded: string[] = []
  const failing = new Set<string>()
  for (const topic of topics.toReversed()) revisions.follow(topic, toReload(topic))
  return { clock, rows, revisions, loaded, failing, errors, [Symbol.asyncDispose]: revisions.close }

  function toReload(topic: Topic) {
    return async (tenant_id = 'all') => {
      const what = `${tenant_id} ${topic}`
      loaded.push(what)
      if (failing.has(what)) throw new AppError('store_unavailable', `not ${what}`)
    }
  }
}

async function setUpLoaded() {
  const set = setUp()
  await set.revisions.check()
  set.loaded.length = 0
  return set
}

/** A follower of tools whose loads after the first last until they are ended. */
async function holdLoads(revisions: ReturnType<typeof createRevisions>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  revisions.follow('tools', (tenant_id) => (tenant_id ? promise : Promise.resolve()))
  await revisions.check()
  return { end: resolve }
}

describe('memory that follows the store', () => {
  test('is loaded whole at first, topic by topic, and unconfirmed before', async () => {
    await using set = setUp()
    await set.rows.bump('t1', 'tools')
    expect(set.revisions.unconfirmedMs()).toBe(Infinity)
    await set.revisions.check()
    const all = [
      'all servers',
      'all policy',
      'all tenants',
      'all agents',
      'all groups',
      'all calls',
      'all tools',
    ]
    expect(set.loaded).toEqual(all)
    expect(set.revisions.unconfirmedMs()).toBe(0)
    expect(set.revisions.current).toBe(1)
  })

  test('takes over changes by tenant, servers first, then policy, tenants, agents and groups, tools last', async () => {
    await using set = await setUpLoaded()
    for (const topic of topics.toReversed()) await set.rows.bump('t2', topic)
    await set.rows.bump('t1', 'policy')
    await set.revisions.check()
    const inOrder = ['servers', 'policy', 'tenants', 'agents', 'groups', 'calls', 'tools']
    const ofT2 = set.loaded.filter((what) => what.startsWith('t2'))
    expect(ofT2).toEqual(inOrder.map((topic) => `t2 ${topic}`))
    expect(set.loaded).toContain('t1 policy')
    expect(set.revisions.current).toBe(8)
    await set.revisions.check()
    expect(set.loaded).toHaveLength(8)
  })

  test('is checked every second without any hint', async () => {
    await using set = setUp()
    set.revisions.start()
    // The second check is for what was published before it listened.
    await set.clock.advanceAsync(50)
    await set.rows.bump('t1', 'policy')
    await set.clock.advanceAsync(999)
    expect(set.loaded).not.toContain('t1 policy')
    await set.clock.advanceAsync(1)
    expect(set.loaded).toContain('t1 policy')
  })

  test('is unconfirmed for as long as the store is away, and follows again', async () => {
    await using set = setUp()
    set.revisions.start()
    await set.clock.advanceAsync(50)
    set.rows.state.isAway = true
    await set.clock.advanceAsync(6_000)
    expect(set.revisions.unconfirmedMs()).toBe(6_000)
    await expect(set.revisions.check()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(set.errors.length).toBeGreaterThan(4)
    set.rows.state.isAway = false
    await set.rows.bump('t1', 'policy')
    await set.clock.advanceAsync(1_000)
    expect(set.loaded).toContain('t1 policy')
    expect(set.revisions.unconfirmedMs()).toBeLessThan(1_000)
  })

  test('a wall clock that jumps confirms nothing and denies nothing [F22]', async () => {
    await using set = await setUpLoaded()
    set.clock.jump(-3_600_000)
    set.clock.advance(700)
    expect(set.revisions.unconfirmedMs()).toBe(700)
  })

  test('a reload that fails is tried again, alone, and memory is unconfirmed until it succeeds', async () => {
    await using set = await setUpLoaded()
    set.failing.add('t1 policy')
    await set.rows.bump('t1', 'policy')
    await set.rows.bump('t2', 'policy')
    set.revisions.start()
    await set.clock.advanceAsync(3_000)
    expect(set.revisions.unconfirmedMs()).toBe(3_000)
    expect(set.revisions.current).toBe(0)
    expect(set.loaded.filter((what) => what === 't2 policy')).toHaveLength(1)
    set.failing.clear()
    await set.clock.advanceAsync(1_000)
    expect(set.revisions.unconfirmedMs()).toBeLessThan(1_000)
    expect(set.revisions.current).toBe(2)
  })

  test('a long load of tools denies nothing, and holds up no change of policy', async () => {
    await using set = await setUpLoaded()
    const loads = await holdLoads(set.revisions)
    await set.rows.bump('t1', 'tools')
    set.revisions.start()
    await set.clock.advanceAsync(20_000)
    expect(set.revisions.unconfirmedMs()).toBeLessThanOrEqual(1_000)
    expect(set.revisions.current).toBe(0)
    await set.rows.bump('t2', 'policy')
    await set.clock.advanceAsync(1_000)
    expect(set.loaded).toContain('t2 policy')
    await set.rows.bump('t1', 'tools')
    await set.clock.advanceAsync(1_000)
    loads.end()
    await set.clock.advanceAsync(1_000)
    expect(set.loaded.filter((what) => what === 't1 tools')).toHaveLength(2)
    expect(set.revisions.current).toBe(3)
  })

  test('a load of tools confirms nothing while the store is away, has failed, or never ends', async () => {
    await using set = await setUpLoaded()
    const loads = await holdLoads(set.revisions)
    await set.rows.bump('t1', 'tools')
    set.revisions.start()
    await set.clock.advanceAsync(1_000)
    set.rows.state.isAway = true
    await set.clock.advanceAsync(6_000)
    expect(set.revisions.unconfirmedMs()).toBeGreaterThan(5_000)
    set.rows.state.isAway = false
    await set.clock.advanceAsync(1_000)
    expect(set.revisions.unconfirmedMs()).toBeLessThanOrEqual(1_000)
    await set.clock.advanceAsync(70_000)
    expect(set.revisions.unconfirmedMs()).toBeGreaterThan(5_000)
    set.failing.add('t2 tools')
    loads.end()
    await set.clock.advanceAsync(1_000)
    expect(set.revisions.unconfirmedMs()).toBeLessThanOrEqual(1_000)
    await set.rows.bump('t2', 'tools')
    await set.clock.advanceAsync(7_000)
    expect(set.revisions.unconfirmedMs()).toBeGreaterThan(5_000)
  })

  test('checks that are asked for together share one, which begins after they were', async () => {
    await using set = await setUpLoaded()
    set.rows.state.asked = 0
    const first = set.revisions.check()
    await set.rows.bump('t1', 'policy')
    await Promise.all([first, ...Array.from({ length: 50 }, () => set.revisions.check())])
    expect(set.rows.state.asked).toBe(2)
    expect(set.loaded).toEqual(['t1 policy'])
  })

  test('a store that has gone back in time is loaded whole', async () => {
    await using set = setUp()
    for (let n = 0; n < 5; n++) await set.rows.bump(`t${n}`, 'policy')
    await set.revisions.check()
    set.rows.goBackTo(3)
    await set.revisions.check()
    expect(set.loaded.filter((what) => what === 'all policy')).toHaveLength(2)
    await set.rows.bump('t9', 'policy')
    await set.revisions.check()
    expect(set.loaded.at(-1)).toBe('t9 policy')
  })

  test('changes of very many tenants are one load', async () => {
    await using set = await setUpLoaded()
    for (let n = 0; n < 500; n++) await set.rows.bump(`t${n}`, 'tools')
    await set.revisions.check()
    expect(set.loaded).toEqual(['all tools'])
  })

  test('who begins to follow later is loaded, who stops is left alone', async () => {
    await using set = await setUpLoaded()
    let late = 0
    const stop = set.revisions.follow('tools', async () => void late++)
    await set.revisions.check()
    expect([late, set.loaded]).toEqual([1, []])
    stop()
    await set.rows.bump('t1', 'tools')
    await set.revisions.check()
    expect([late, set.loaded]).toEqual([1, ['t1 tools']])
  })

  test('after close nothing is asked any more', async () => {
    const set = setUp()
    set.revisions.start()
    await set.clock.advanceAsync(0)
    await set.revisions.close()
    set.rows.state.asked = 0
    await set.clock.advanceAsync(5_000)
    expect([set.rows.state.asked, set.clock.pending()]).toEqual([0, 0])
  })
})

describe('a KV that fails', () => {
  test('is listened to as soon as it is there, and publishing never rejects', async () => {
    let isAway = true
    const hear: (() => unknown)[] = []
    await using set = setUp({
      publish: async () => Promise.reject(new AppError('store_unavailable', 'away')),
      async subscribe(_channel, handler, options) {
        if (isAway) throw new AppError('store_unavailable', 'away')
        hear.push(
          () => handler(''),
          () => options?.onGap?.(),
        )
        return async () => {}
      },
    })
    set.revisions.start()
    await set.revisions.publish('t1', 'policy')
    await set.clock.advanceAsync(2_000)
    isAway = false
    await set.clock.advanceAsync(1_000)
    for (const [n, wake] of hear.entries()) {
      await set.rows.bump(`t${n}`, 'policy')
      wake()
      await set.clock.advanceAsync(50)
      expect(set.loaded).toContain(`t${n} policy`)
    }
    expect(hear).toHaveLength(2)
  })

  test('a flood of hints makes about 20 checks a second', async () => {
    let hint = () => {}
    await using set = setUp({
      publish: async () => {},
      async subscribe(_channel, handler) {
        hint = () => void handler('')
        return async () => {}
      },
    })
    set.revisions.start()
    await set.clock.advanceAsync(100)
    set.rows.state.asked = 0
    for (let n = 0; n < 1_000; n++) {
      hint()
      await set.clock.advanceAsync(1)
    }
    expect(set.rows.state.asked).toBeGreaterThan(15)
    expect(set.rows.state.asked).toBeLessThanOrEqual(21)
  })
})

describeKv('hints of another process', ({ kv, other, clock, elapse }) => {
  test('are followed at once', async () => {
    const rows = createTestRevisionRows()
    await using revisions = createRevisions({ rows, kv, clock, everyMs: 600_000 })
    await using elsewhere = createRevisions({ rows, kv: other, clock })
    const loaded: (string | undefined)[] = []
    revisions.follow('policy', async (tenant_id) => void loaded.push(tenant_id))
    revisions.start()
    // The first load, and the check for what was published before it listened.
    await waitFor(async () => {
      await elapse(10)
      return rows.state.asked >= 2
    })
    await rows.bump('t1', 'policy')
    await elsewhere.publish('t1', 'policy')
    await waitFor(async () => {
      await elapse(10)
      return loaded.includes('t1')
    })
    expect(loaded).toEqual([undefined, 't1'])
  })
})
