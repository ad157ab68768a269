import { isDeepStrictEqual } from 'node:util'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toToolKey } from '../tool-ref.ts'
import type { Resolved } from './contract.ts'
import { aWorld, buildWorld, principals } from './test-random-world.ts'
import { admin, agentA, ana, createTestWorld, everything } from './test-world.ts'

const numRuns = longCount(100, 5_000)
const timeout = longCount(60_000, 1_200_000)

/** What the caller is told: the rest of `unknown` is for the audit. */
const told = ({ status, ...rest }: Resolved) =>
  status === 'unknown' ? { status } : { status, rest }

describe('a name', () => {
  function setUpTwo() {
    const world = createTestWorld({ defaultAllow: everything })
    const one = world.catalogue.add(world.servers.add({ server_id: 's1', name: 'one' }), 'search')
    const two = world.catalogue.add(
      world.servers.add({ server_id: 's2', name: 'two', alias: 'second' }),
      'search',
    )
    const resolve = (name: Parameters<typeof world.policy.resolve>[1], principal = ana) =>
      world.policy.resolve({ principal }, name)
    return { ...world, one, two, resolve }
  }

  test('same-named tools of two servers are told apart by id, name or alias [A6.1]', () => {
    const { one, two, resolve } = setUpTwo()
    for (const name of ['s1/search', 'one.search', 'mcp.one.search', 'mcp_one_search']) {
      expect(resolve(name)).toMatchObject({ status: 'found', entry: one })
    }
    for (const name of ['s2/search', 'second.search', 'two.search', 'mcp_second_search']) {
      expect(resolve(name)).toMatchObject({ status: 'found', entry: two })
    }
    expect(resolve({ server_id: 's2', name: 'search' })).toMatchObject({ entry: two })
    expect(resolve('search')).toEqual({
      status: 'ambiguous',
      names: ['one.search', 'second.search'],
    })
  })

  test('only tools that the caller may call count [A6.1]', async () => {
    const { policy, two, resolve } = setUpTwo()
    await policy.setAllowList(admin, { kind: 'agent', id: 'a' }, [{ server_id: 's2', tool: '*' }])
    expect(resolve('search', agentA)).toMatchObject({ status: 'found', entry: two })
    expect(resolve('one.search', agentA)).toMatchObject({ status: 'unknown' })
  })

  test('a full name beats a tool that calls itself so', () => {
    const { servers, catalogue, one, resolve } = setUpTwo()
    const evil = servers.add({ server_id: 'evil', user_id: 'ana' })
    for (const name of ['one.search', 's1/search', 'mcp_one_search']) catalogue.add(evil, name)
    for (const name of ['one.search', 's1/search', 'mcp_one_search']) {
      expect(resolve(name)).toMatchObject({ status: 'found', entry: one })
    }
  })

  test('a bound tool that is withheld or unavailable is found, and keeps its name', () => {
    const { servers, catalogue, resolve } = setUpTwo()
    const down = { offer: { status: 'unavailable', message: 'gone' } } as const
    const entry = catalogue.add(servers.get('t1', 's1')!, 'index', down)
    catalogue.add(servers.get('t1', 's2')!, 'index')
    expect(resolve('one.index')).toMatchObject({ status: 'found', entry })
    expect(resolve('index')).toMatchObject({ status: 'ambiguous' })
  })

  test("another tenant's tool, another agent's and a made-up name answer alike [A2.3]", async () => {
    const { servers, catalogue, policy } = createTestWorld()
    const mine = servers.add({ server_id: 'mall' })
    catalogue.add(mine, 'get')
    catalogue.add(mine, 'search')
    catalogue.add(servers.add({ server_id: 'private', user_id: 'bo' }), 'secret')
    catalogue.add(servers.add({ tenant_id: 't2', server_id: 'theirs' }), 'theirs')
    await policy.setAllowList(admin, { kind: 'agent', id: 'a' }, [
      { server_id: 'mall', tool: 'get' },
    ])
    await policy.setAllowList(admin, { kind: 'agent', id: 'b' }, everything)
    const names = [
      ...['search', 'mall/search', 'mall.search', 'mcp_mall_search', 'secret', 'private/secret'],
      ...[
        'theirs',
        'theirs/theirs',
        'theirs.theirs',
        'made_up',
        'mall/made_up',
        '',
        '/',
        '__proto__',
      ],
      ...['GET', 'get ', 'ｇet', 'mall.get\u200b', '*', 'mall/*'],
    ]
    const refs = names.map((name) => ({ server_id: name.split('/')[0] ?? '', name }))
    for (const name of [...names, ...refs, { server_id: 'theirs', name: 'theirs' }]) {
      expect(told(policy.resolve({ principal: agentA }, name))).toEqual({ status: 'unknown' })
    }
    expect(policy.list({ principal: agentA }).map(({ sdk_name }) => sdk_name)).toEqual(['mall.get'])
    expect(policy.resolve({ principal: agentA }, 'mall/search')).toMatchObject({
      verdict: { by: { kind: 'not_bound', subject: { kind: 'agent', id: 'a' } } },
    })
  })
})

describe('random catalogues with clashes, look-alikes and aliases', () => {
  const worlds = longCount(250, 10_000)

  test(`in ${worlds} worlds whatever is resolved is bound to the caller, and its own [T11]`, {
    timeout,
  }, async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(aWorld, async (plan) => {
        const { policy, isBound, allNames } = await buildWorld(plan)
        const wrong: unknown[] = []
        for (const principal of principals) {
          for (const name of allNames) {
            const resolved = policy.resolve({ principal }, name)
            if (resolved.status !== 'found') continue
            found += 1
            if (!isBound(principal, resolved.entry)) wrong.push([principal, name, resolved])
          }
        }
        expect(wrong).toEqual([])
      }),
      { numRuns: worlds },
    )
    expect(found).toBeGreaterThan(longCount(2_000, 100_000))
    console.info(`${found} names resolved, all to bound tools`)
  })

  test(`in ${numRuns} worlds what is listed can be called by its names, and nothing else can [T37]`, {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async (plan) => {
        const { policy, entries } = await buildWorld(plan)
        for (const principal of principals) {
          const listed = policy.list({ principal })
          for (const entry of listed) {
            const { server_id, name } = entry.tool
            const byRef = policy.resolve({ principal }, { server_id, name })
            expect(byRef).toMatchObject({ status: 'found', entry })
            for (const text of [entry.sdk_name, toToolKey(entry.tool), entry.wire_name]) {
              const resolved = policy.resolve({ principal }, text)
              if (resolved.status !== 'ambiguous') expect(resolved).toMatchObject({ entry })
            }
          }
          const callable = entries.filter(
            (entry) =>
              entry.offer.status === 'offered' &&
              policy.decide({ principal }, entry).status !== 'deny',
          )
          expect(new Set(listed)).toEqual(new Set(callable))
          expect(policy.list({ principal })).toBe(listed)
        }
      }),
      { numRuns },
    )
  })
})

describe('random rules', () => {
  test('what is explained is what is decided', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async (plan) => {
        const { policy, entries, contexts } = await buildWorld(plan)
        const wrong: unknown[] = []
        for (const context of contexts) {
          for (const entry of entries) {
            const { verdict, steps } = policy.explain(context, entry)
            const decided = policy.decide(context, entry)
            const deciding = steps.filter((step) => step.decided)
            if (!isDeepStrictEqual(verdict, decided)) wrong.push([context, verdict, decided])
            if (deciding.length !== 1) wrong.push([context, steps])
          }
        }
        expect(wrong).toEqual([])
      }),
      { numRuns },
    )
  })

  test('a deny wins, else the highest tier decides', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(aWorld, async (plan) => {
        const { policy, entries, contexts, rulesFor } = await buildWorld(plan)
        for (const context of contexts) {
          for (const entry of entries) {
            const { status, by } = policy.decide(context, entry)
            if (!['rule', 'server_setting', 'default'].includes(by.kind)) continue
            const rules = rulesFor(context, entry)
            const top = ['platform', 'tenant', 'user'].find((tier) =>
              rules.some((rule) => rule.tier === tier),
            )
            const effects = rules.filter(({ tier }) => tier === top).map(({ effect }) => effect)
            if (rules.some(({ effect }) => effect === 'deny')) expect(status).toBe('deny')
            else if (effects.includes('ask')) expect(status).toBe('ask')
            else if (effects.includes('allow')) {
              // A user's allow gives way to what an administrator has set for the server.
              if (top !== 'user') expect(status).not.toBe('deny')
            } else expect(by.kind).not.toBe('rule')
          }
        }
      }),
      { numRuns },
    )
  })
})
