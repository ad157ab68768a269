import { expect, test } from 'vitest'
import type { JudgedContext } from './contract.ts'
import { ana, createTestWorld, everything } from './test-world.ts'

const doing = (...without: string[]): JudgedContext => ({
  principal: ana,
  session_id: 'one',
  run: { run_id: 'r', untrusted: new Set(), without: new Set(without) },
})

function setUp() {
  const world = createTestWorld({ defaultAllow: everything })
  const orders = world.catalogue.add(world.servers.add({ server_id: 'orders' }), 'find')
  const stock = world.catalogue.add(world.servers.add({ server_id: 'stock' }), 'find')
  return { ...world, orders, stock }
}

test('a run has no tool of a server that it does without, in the list or by any name', () => {
  const { policy, orders, stock } = setUp()
  const context = doing('orders')
  expect(policy.list(context)).toEqual([stock])
  for (const name of ['orders.find', orders.wire_name, { server_id: 'orders', name: 'find' }]) {
    expect(policy.resolve(context, name)).toMatchObject({
      ...{ status: 'unknown', verdict: { status: 'deny', by: { kind: 'switched_off' } } },
    })
  }
})

test('a name that two servers have means the one that is left', () => {
  const { policy, stock } = setUp()
  expect(policy.resolve(doing(), 'find').status).toBe('ambiguous')
  expect(policy.resolve(doing('orders'), 'find')).toMatchObject({ status: 'found', entry: stock })
})

test('other runs of the same caller and session have it, before and after', () => {
  const { policy, orders, stock } = setUp()
  expect(policy.list(doing())).toEqual([orders, stock])
  expect(policy.list(doing('orders', 'stock'))).toEqual([])
  expect(policy.list({ principal: ana, session_id: 'one' })).toEqual([orders, stock])
  expect(policy.decide(doing('stock'), orders).status).toBe('allow')
})

test('it takes away alone: a server that is another user’s stays so', () => {
  const { policy, servers, catalogue } = setUp()
  const foreign = catalogue.add(servers.add({ server_id: 'bos', user_id: 'bo' }), 'do')
  expect(policy.decide(doing('orders'), foreign).by.kind).toBe('not_visible')
  expect(policy.decide(doing('bos'), foreign).by.kind).toBe('not_visible')
})

test('one run is given the same array as long as nothing changes', () => {
  const { policy, servers, catalogue, stock } = setUp()
  const context = doing('orders')
  const before = policy.list(context)
  expect(policy.list(context)).toBe(before)
  const more = catalogue.add(servers.add({ server_id: 'zoo' }), 'feed')
  expect(policy.list(context)).toEqual([stock, more])
})

test('a person is told why', () => {
  const { policy, orders } = setUp()
  const { verdict, steps } = policy.explain(doing('orders'), orders)
  expect(verdict).toMatchObject({ status: 'deny', by: { kind: 'switched_off' } })
  const what = { kind: 'switched_off' }
  const text = 'The run does without the server.'
  expect(steps.at(-1)).toEqual({ what, text, decided: true })
})
