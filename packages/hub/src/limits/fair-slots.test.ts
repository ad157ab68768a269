import { getEventListeners } from 'node:events'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FairSlots, Slot } from './contract.ts'
import { createFairSlots } from './fair-slots.ts'
import { simulate } from './test-slots-simulation.ts'

describe('slots', () => {
  test('are given at once to a lone tenant, all of them', () => {
    const slots = createFairSlots({ max: 3, perTenantWaiting: 1 })
    const held = [1, 2, 3].map(() => take(slots, 'a'))
    expect(held).toHaveLength(3)
    expect(slots.acquire('a')).toBeInstanceOf(Promise)
    expect(slots).toMatchObject({ running: 3, waiting: 1 })
  })

  test('go to tenants in turn, whatever each has waiting', async () => {
    const slots = createFairSlots({ max: 1, perTenantWaiting: 100 })
    const order: string[] = []
    const first = take(slots, 'a')
    const run = async (tenant_id: string) => {
      const slot = (await slots.acquire(tenant_id)) as Slot
      order.push(tenant_id)
      slot.release()
    }
    const all = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(run)
    first.release()
    await Promise.all(all)
    expect(order.join('')).toBe('abcabaa')
    expect(slots).toMatchObject({ running: 0, waiting: 0 })
  })

  test('a tenant that runs all it may waits for its own; others do not', async () => {
    const slots = createFairSlots({ max: 3, perTenant: 2, perTenantWaiting: 10 })
    const [first] = [take(slots, 'a'), take(slots, 'a')]
    const waiting = slots.acquire('a')
    expect(waiting).toBeInstanceOf(Promise)
    const other = take(slots, 'b')
    const next = slots.acquire('b')
    other.release()
    ;((await next) as Slot).release()
    expect(slots).toMatchObject({ running: 2, waiting: 1 })
    first?.release()
    ;((await waiting) as Slot).release()
    expect(slots).toMatchObject({ running: 1, waiting: 0 })
  })

  test('a tenant with too many waiting is told so, and others are not', () => {
    const slots = createFairSlots({ max: 1, perTenantWaiting: 2 })
    take(slots, 'a')
    const asked = [1, 2, 3].map(() => slots.acquire('a'))
    expect(asked[2]).toBe('busy')
    expect(slots.acquire('b')).toBeInstanceOf(Promise)
  })

  test('one who gives up waiting leaves no trace', async () => {
    const slots = createFairSlots({ max: 1, perTenantWaiting: 2 })
    const first = take(slots, 'a')
    const controller = new AbortController()
    const given = ['a', 'a', 'b'].map((tenant_id) => slots.acquire(tenant_id, controller.signal))
    const settled = Promise.allSettled(given)
    controller.abort(new Error('gone'))
    const reasons = (await settled).map((end) => end.status === 'rejected' && end.reason.message)
    expect(reasons).toEqual(['gone', 'gone', 'gone'])
    expect(slots).toMatchObject({ running: 1, waiting: 0 })
    first.release()
    expect(slots.running).toBe(0)
    await expect(slots.acquire('a', controller.signal)).rejects.toThrow('gone')
    expect(slots.running).toBe(0)
  })

  test('nothing is left on the signal of one who was served', async () => {
    const slots = createFairSlots({ max: 1, perTenantWaiting: 2 })
    const { signal } = new AbortController()
    const first = take(slots, 'a')
    const second = slots.acquire('a', signal)
    first.release()
    await second
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('a slot released twice is free once', () => {
    const slots = createFairSlots({ max: 2, perTenantWaiting: 2 })
    const [first] = [take(slots, 'a'), take(slots, 'a')]
    first.release()
    first.release()
    expect(slots.running).toBe(1)
  })

  test('behave as plain lists do, whatever is asked, released and given up', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('acquire' as const), tenant: fc.nat(3) }),
      fc.record({ kind: fc.constant('release' as const), index: fc.nat(5) }),
      fc.record({ kind: fc.constant('abort' as const), index: fc.nat(5) }),
    )
    const steps = fc.array(step, { minLength: 20, maxLength: 120 })
    const property = fc.asyncProperty(steps, compareWithLists)
    return fc.assert(property, { numRuns: longCount(150, 5_000) })
  })
})

type Step =
  | { kind: 'acquire'; tenant: number }
  | { kind: 'release'; index: number }
  | { kind: 'abort'; index: number }

interface Asked {
  tenant: string
  controller: AbortController
  slot?: Slot
}

/** The same steps on slots and on a list that is searched for who is next. */
async function compareWithLists(steps: readonly Step[]): Promise<void> {
  const [max, perTenantWaiting] = [2, 3]
  const slots = createFairSlots({ max, perTenantWaiting })
  const running: Asked[] = []
  const turns: { tenant: string; waiters: Asked[] }[] = []
  for (const step of steps) {
    if (step.kind === 'acquire') acquire(`t${step.tenant}`)
    else if (step.kind === 'release') release(running.splice(step.index % max, 1)[0])
    else abort(turns.flatMap(({ waiters }) => waiters)[step.index])
    await new Promise(setImmediate)
    expect(running.every(({ slot }) => slot)).toBe(true)
    const waiters = turns.flatMap((turn) => turn.waiters)
    expect(waiters.some(({ slot }) => slot)).toBe(false)
    expect(slots).toMatchObject({ running: running.length, waiting: waiters.length })
  }

  function acquire(tenant: string): void {
    const asked: Asked = { tenant, controller: new AbortController() }
    const given = slots.acquire(tenant, asked.controller.signal)
    const turn = turns.find((other) => other.tenant === tenant)
    if (given === 'busy') {
      expect(turn?.waiters).toHaveLength(perTenantWaiting)
      return
    }
    Promise.resolve(given).then(
      (slot) => {
        asked.slot = slot
      },
      () => {},
    )
    if (running.length < max) running.push(asked)
    else if (turn) turn.waiters.push(asked)
    else turns.push({ tenant, waiters: [asked] })
  }

  function release(asked: Asked | undefined): void {
    if (!asked) return
    asked.slot?.release()
    const turn = turns.shift()
    const next = turn?.waiters.shift()
    if (next) running.push(next)
    if (turn && turn.waiters.length > 0) turns.push(turn)
  }

  function abort(asked: Asked | undefined): void {
    const turn = turns.find(({ waiters }) => asked && waiters.includes(asked))
    if (!asked || !turn) return
    asked.controller.abort()
    turn.waiters.splice(turn.waiters.indexOf(asked), 1)
    if (turn.waiters.length === 0) turns.splice(turns.indexOf(turn), 1)
  }
}

describe('a tenant beside one that floods', () => {
  const own = { tenant_id: 'b', everyMs: 20, calls: longCount(500, 20_000) }
  const flood = { tenant_id: 'a', everyMs: 0.2, calls: own.calls * 100 }

  test(`has at most one and a half times its quiet p99 in ${own.calls} calls [T47]`, async () => {
    const slots = () => createFairSlots({ max: 16, perTenantWaiting: 100 })
    const quiet = await simulate(slots(), [own])
    const beside = await simulate(slots(), [own, flood])
    expect(quiet.p99('b')).toBeGreaterThan(0)
    expect(beside.p99('b')).toBeLessThanOrEqual(quiet.p99('b') * 1.5)
    expect(beside.refused('b')).toBe(0)
    expect(beside.refused('a')).toBeGreaterThan(0)
  })

  test('loses that without turns: the measure can fail', async () => {
    const quiet = await simulate(createQueue(16), [own])
    const beside = await simulate(createQueue(16), [own, flood])
    expect(beside.p99('b')).toBeGreaterThan(quiet.p99('b') * 1.5)
  })
})

/** One queue for all, first come first served. */
function createQueue(max: number): FairSlots {
  const slots = createFairSlots({ max, perTenantWaiting: 100 })
  return { ...slots, acquire: (_, signal) => slots.acquire('all', signal) }
}

function take(slots: FairSlots, tenant_id: string): Slot {
  const slot = slots.acquire(tenant_id)
  if (slot === 'busy' || slot instanceof Promise) throw new Error('not at once')
  return slot
}
