import type { CatalogueEntry } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroupNames } from './group-names.ts'
import { nameEntries } from './named-list.ts'
import {
  admin,
  everything,
  openInstallation,
  type TestInstallation,
  type TestProcess,
} from './test-groups.ts'

/** An entry as the hub lists it. */
function anEntry(server_id: string, name: string, own: Partial<CatalogueEntry> = {}) {
  const sdk_name = `${server_id}.${name}`
  const wire_name = `${server_id}_${name}`.replace(/[^\w-]/g, '_').slice(0, 64)
  return { tool: { server_id, name }, sdk_name, wire_name, ...own } as unknown as CatalogueEntry
}

const [mailSearch, shopSearch] = [anEntry('mail', 'search'), anEntry('shop', 'search')]

describe('names of tools in a group', () => {
  const stack = new AsyncDisposableStack()
  let installation: TestInstallation
  let process: TestProcess
  let count = 0
  beforeAll(async () => {
    installation = stack.use(await openInstallation())
    process = await installation.start()
  })
  afterAll(() => stack.disposeAsync())

  async function setUp(entries: readonly CatalogueEntry[] = []) {
    const name = `Names ${++count}`
    const { group } = await process.groups.create(admin, { name, tools: everything })
    const { group_id } = group
    const hub = { listTools: () => entries }
    const names = createGroupNames({ groups: process.groups, hub })
    const called = (of: readonly CatalogueEntry[]) => [...names.nameOf(group_id, of).values()]
    const pinned = (name: string) =>
      waitFor(() => process.groups.get(group_id)!.pinned_names.includes(`"${name}":`))
    return { group_id, names, called, pinned }
  }

  test('a tool has its bare name where no other had it before, also while that one is away', async () => {
    const { called, pinned } = await setUp()
    expect(called([shopSearch, anEntry('shop', 'buy')])).toEqual(['search', 'buy'])
    await pinned('search')
    expect(called([mailSearch, shopSearch])).toEqual(['mail_search', 'search'])
    expect(called([mailSearch])).toEqual(['mail_search'])
    expect(called([shopSearch])).toEqual(['search'])
  })

  test('of two that come together the first of the list has it', async () => {
    const { called, pinned } = await setUp()
    expect(called([mailSearch, shopSearch])).toEqual(['search', 'shop_search'])
    await pinned('search')
    expect(called([shopSearch])).toEqual(['shop_search'])
  })

  test('a name that clients do not take gives way to the wire name, as does one that is taken', async () => {
    const { called } = await setUp()
    const odd = [anEntry('s', 'a.b'), anEntry('s', '查询'), anEntry('s', 'x'.repeat(65))]
    const names = called([...odd, anEntry('s', 'x'.repeat(64))])
    expect(names[0]).toBe('s_a_b')
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(names[3]).toBe('x'.repeat(64))
    // A tool of our own is called what the other is called in full.
    const own = anEntry('dataagent', 'shop_search', { wire_name: 'shop_search' })
    const clash = called([own, mailSearch, shopSearch])
    expect(clash.slice(0, 2)).toEqual(['shop_search', 'search'])
    expect(clash[2]).toMatch(/^shop_search_[0-9a-f]{8}$/)
  })

  test('names are as they were for the same list, and made once', async () => {
    const { names, group_id, called, pinned } = await setUp()
    const entries = [mailSearch, shopSearch]
    called(entries)
    await pinned('search')
    const first = names.nameOf(group_id, entries)
    expect(names.nameOf(group_id, entries)).toBe(first)
    expect(names.nameOf(group_id, [...entries])).not.toBe(first)
    const elsewhere = await setUp()
    expect(elsewhere.called([shopSearch])).toEqual(['search'])
  })

  test('a name leads back to its tool: pinned, also while it is away, or in full', async () => {
    const entries = [mailSearch, shopSearch, anEntry('shop', 'buy now')]
    const { names, group_id, called, pinned } = await setUp(entries)
    const shop = { server_id: 'shop', name: 'search' }
    expect(names.refOf(group_id, 'search')).toEqual({ server_id: 'mail', name: 'search' })
    await pinned('search')
    expect(called([shopSearch])).toEqual(['shop_search'])
    expect(names.refOf(group_id, 'search')).toEqual({ server_id: 'mail', name: 'search' })
    for (const name of ['shop_search', 'shop.search']) {
      expect(names.refOf(group_id, name)).toEqual(shop)
    }
    expect(names.refOf(group_id, 'shop_buy_now')).toMatchObject({ name: 'buy now' })
    for (const name of ['none', '__proto__', 'toString', '']) {
      expect(names.refOf(group_id, name)).toBeUndefined()
    }
    expect(names.refOf('none', 'search')).toBeUndefined()
  })

  test('the tools of a real hub are found by bare, SDK and wire name', async () => {
    const { group_id } = await setUp()
    const { hub, groups } = process
    const names = createGroupNames({ groups, hub })
    const principal = { tenant_id: 'acme', user_id: null, role: 'user', group_id } as const
    const called = names.nameOf(group_id, hub.listTools({ principal }))
    expect([...called.values()]).toEqual(expect.arrayContaining(['alpha', 'beta']))
    for (const [entry, name] of called) {
      const { server_id, name: tool } = entry.tool
      for (const each of [name, entry.sdk_name, entry.wire_name]) {
        expect(names.refOf(group_id, each)).toEqual({ server_id, name: tool })
      }
    }
  })

  test('where another process has pinned a name, that holds', async () => {
    const { names, group_id, called } = await setUp()
    await installation.sql.gateway.groups.pinNames(group_id, { search: 'shop/search' })
    const entries = [mailSearch, shopSearch]
    expect(called(entries)).toEqual(['search', 'shop_search'])
    await waitFor(() => names.nameOf(group_id, entries).get(shopSearch) === 'search')
    expect(called(entries)).toEqual(['mail_search', 'search'])
    expect(names.refOf(group_id, 'search')).toEqual({ server_id: 'shop', name: 'search' })
  })

  test('while the store is away names are given, and stored when it is back', async () => {
    const { group_id } = await setUp()
    const { groups } = process
    const clock = createFakeClock()
    const tries: string[][] = []
    const errors: unknown[] = []
    let isAway = true
    const names = createGroupNames({
      groups: {
        get: groups.get,
        async pinNames(id, fresh) {
          tries.push(Object.keys(fresh))
          if (isAway) throw new AppError('store_unavailable', 'away')
          await groups.pinNames(id, fresh)
        },
      },
      hub: { listTools: () => [] },
      clock,
      onError: (error) => errors.push(error),
    })
    const entries = [shopSearch]
    const call = () => names.nameOf(group_id, entries).get(shopSearch)
    expect([call(), call(), call()]).toEqual(['search', 'search', 'search'])
    await waitFor(() => errors.length === 1)
    expect([call(), tries.length]).toEqual(['search', 1])
    isAway = false
    clock.advance(1_000)
    expect([call(), tries.length]).toEqual(['search', 2])
    await waitFor(() => groups.get(group_id)?.pinned_names === '{"search":"shop/search"}')
    clock.advance(1_000)
    expect([call(), tries.length]).toEqual(['search', 2])
  })
})

test('a list of 1,000 tools is named in milliseconds, and no row is filled without end', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => anEntry(`s${n % 10}`, `t${n}`))
  const { fresh, names } = nameEntries(many, {})
  expect(Object.keys(fresh)).toHaveLength(10_000)
  expect(new Set(names.values()).size).toBe(20_000)
  const from = performance.now()
  nameEntries(many.slice(0, 1_000), {})
  expect(performance.now() - from).toBeLessThan(500)
})
