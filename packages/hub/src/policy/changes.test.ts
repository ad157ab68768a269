import { AppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import type { NewLimit, NewRule } from './contract.ts'
import { admin, agentA, ana, createTestWorld, everything, platformAdmin } from './test-world.ts'

const ofAna: NewRule = {
  tier: 'user',
  subject: { kind: 'user', id: 'ana' },
  server_id: 's',
  tool: 'do',
  effect: 'allow',
}
const ofTenant: NewRule = { ...ofAna, tier: 'tenant', subject: { kind: 'tenant', id: '*' } }
const ofPlatform: NewRule = { ...ofTenant, tier: 'platform' }
const limit: NewLimit = {
  subject: { kind: 'agent', id: 'a' },
  server_id: '*',
  tool: 'd*',
  max_calls: 3,
  window_ms: 1_000,
}

describe('who may change what', () => {
  test('a user makes and removes rules of their own, for themself', async () => {
    const { policy, clock } = createTestWorld()
    const rule = await policy.addRule(ana, ofAna)
    expect(rule).toMatchObject({ created_by: 'ana', created_at: clock.now(), tenant_id: 't1' })
    expect(policy.rules(ana)).toEqual([rule])
    await policy.removeRule(ana, rule.rule_id)
    expect(policy.rules(ana)).toEqual([])
  })

  test('a rule or limit that is read again while it is removed is gone', async () => {
    const { policy, catalogue, servers } = createTestWorld()
    servers.add({ server_id: 's1' })
    const entry = catalogue.add({ tenant_id: 't1', server_id: 's1' }, 'do')
    await policy.setAllowList(admin, { kind: 'tenant', id: 't1' }, everything)
    const denied = await policy.addRule(admin, {
      ...{ ...ofTenant, server_id: '*', tool: '*', effect: 'deny' },
    })
    const limit = await policy.addLimit(admin, {
      ...{ subject: { kind: 'user', id: '*' }, server_id: '*', tool: '*' },
      ...{ max_calls: 1, window_ms: 1_000 },
    })
    expect(policy.decide({ principal: ana }, entry).status).toBe('deny')
    await Promise.all([
      policy.reload('t1'),
      policy.removeRule(admin, denied.rule_id),
      policy.removeLimit(admin, limit.limit_id),
    ])
    expect(policy.decide({ principal: ana }, entry).status).toBe('allow')
    expect(policy.limitsFor(ana, entry.tool)).toEqual([])
  })

  test.each([
    ['for another', { ...ofAna, subject: { kind: 'user', id: 'bo' } as const }],
    ['of the tenant', ofTenant],
    ['of the platform', ofPlatform],
  ])('a user makes no rule %s', async (_what, rule) => {
    const refused = createTestWorld().policy.addRule(ana, rule)
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('an administrator makes no rule of the platform, and sees those that speak of the tenant', async () => {
    const { policy } = createTestWorld()
    await expect(policy.addRule(admin, ofPlatform)).rejects.toMatchObject({ code: 'forbidden' })
    const all = await policy.addRule(platformAdmin, ofPlatform)
    await policy.addRule(platformAdmin, { ...ofPlatform, subject: { kind: 'tenant', id: 't2' } })
    expect(policy.rules(admin)).toEqual([all])
    expect(policy.rules(platformAdmin)).toHaveLength(2)
    expect(policy.rules(ana)).toEqual([])
    await expect(policy.removeRule(admin, all.rule_id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('bindings and limits are an administrator’s', async () => {
    const { policy } = createTestWorld()
    const forbidden = { code: 'forbidden' }
    const subject = { kind: 'agent', id: 'a' } as const
    await expect(policy.setAllowList(ana, subject, [])).rejects.toMatchObject(forbidden)
    await expect(policy.clearAllowList(ana, subject)).rejects.toMatchObject(forbidden)
    await expect(policy.addLimit(ana, limit)).rejects.toMatchObject(forbidden)
    await expect(policy.removeLimit(ana, 'l')).rejects.toMatchObject(forbidden)
    expect(() => policy.limits(ana)).toThrow('administrator')
  })

  test.each([
    ["an administrator of the platform's tenant", { ...admin, tenant_id: '*' }],
    ['an administrator without a tenant', { ...admin, tenant_id: '' }],
    ['an administrator with an empty id', { ...admin, user_id: '' }],
    ['a platform administrator with an empty id', { ...platformAdmin, user_id: '' }],
    ['a user with an empty id', { ...ana, user_id: '' }],
  ])('%s changes nothing', async (_who, by) => {
    const { policy } = createTestWorld()
    const forbidden = { code: 'forbidden' }
    const everyone = { kind: 'tenant', id: '*' } as const
    await expect(policy.setAllowList(by, everyone, everything)).rejects.toMatchObject(forbidden)
    await expect(policy.clearAllowList(by, everyone)).rejects.toMatchObject(forbidden)
    await expect(policy.addLimit(by, limit)).rejects.toMatchObject(forbidden)
    for (const rule of [ofPlatform, ofTenant, ofAna]) {
      await expect(policy.addRule(by, rule)).rejects.toMatchObject(forbidden)
    }
    const { rule_id } = await policy.addRule(platformAdmin, ofPlatform)
    await expect(policy.removeRule(by, rule_id)).rejects.toMatchObject({ code: 'not_found' })
    expect(policy.rules(by)).toEqual([])
  })

  test("a platform administrator of the platform's tenant makes its rules, and no tenant's", async () => {
    const { policy } = createTestWorld()
    const root = { ...platformAdmin, tenant_id: '*' }
    for (const rule of [ofTenant, ofAna]) {
      await expect(policy.addRule(root, rule)).rejects.toMatchObject({ code: 'forbidden' })
    }
    const rule = await policy.addRule(root, ofPlatform)
    await policy.removeRule(root, rule.rule_id)
    expect(policy.rules(root)).toEqual([])
  })

  test("another tenant's rules, lists and limits are not there", async () => {
    const { policy } = createTestWorld()
    const other = { ...admin, tenant_id: 't2' }
    const [rule, added] = [
      await policy.addRule(admin, ofTenant),
      await policy.addLimit(admin, limit),
    ]
    expect([policy.rules(other), policy.limits(other)]).toEqual([[], []])
    const notFound = { code: 'not_found' }
    await expect(policy.removeRule(other, rule.rule_id)).rejects.toMatchObject(notFound)
    await expect(policy.removeLimit(other, added.limit_id)).rejects.toMatchObject(notFound)
    expect([policy.rules(admin), policy.limits(admin)]).toEqual([[rule], [added]])
  })
})

test('an agent or a tool group changes nothing, whoever it works for', async () => {
  const { policy } = createTestWorld()
  const forbidden = { code: 'forbidden' }
  for (const machine of [{ agent_id: 'a' }, { group_id: 'g' }]) {
    const by = { ...admin, ...machine }
    await expect(policy.setAllowList(by, { kind: 'agent', id: 'a' }, [])).rejects.toMatchObject(
      forbidden,
    )
    await expect(policy.addRule({ ...ana, ...machine }, ofAna)).rejects.toMatchObject(forbidden)
    await expect(
      policy.addRule({ ...platformAdmin, ...machine }, ofPlatform),
    ).rejects.toMatchObject(forbidden)
  }
})

describe('what can never hold is refused', () => {
  test.each([
    [{ tool: '[z-a]' }, 'no name can fit'],
    [{ server_id: 'mall*' }, "no server's id"],
    [{ server_id: '' }, 'server_id'],
    [{ expires_at: 1 }, 'in the past'],
    [{ effect: 'deny' as const, trusts: ['*'] }, 'only a rule that allows'],
    [{ subject: { kind: 'agent' as const, id: 'a' } }, 'one user'],
    [{ subject: { kind: 'user' as const, id: '*' } }, 'one user'],
    [{ note: 'x'.repeat(1_001) }, 'note'],
    [{ session_id: ' ' }, 'session_id'],
  ])('a rule with %j', async (fields, told) => {
    const { policy } = createTestWorld()
    await expect(policy.addRule(ana, { ...ofAna, ...fields })).rejects.toThrow(told)
    expect(policy.rules(ana)).toEqual([])
  })

  test('a list or limit that speaks of another tenant, or of nothing', async () => {
    const { policy } = createTestWorld()
    const invalid = { code: 'invalid_request' }
    const theirs = { kind: 'tenant', id: 't2' } as const
    await expect(policy.setAllowList(admin, theirs, everything)).rejects.toMatchObject(invalid)
    await expect(policy.addLimit(admin, { ...limit, subject: theirs })).rejects.toMatchObject(
      invalid,
    )
    await expect(policy.addLimit(admin, { ...limit, window_ms: 0 })).rejects.toMatchObject(invalid)
    const broken = [{ server_id: 's', tool: 'a[' }]
    await expect(
      policy.setAllowList(admin, { kind: 'agent', id: 'a' }, broken),
    ).rejects.toMatchObject(invalid)
  })

  test('more rules than a user may have; those that have ended or are of old sessions make room', async () => {
    const { policy, clock } = createTestWorld()
    for (let n = 0; n < 999; n++) await policy.addRule(ana, { ...ofAna, tool: `t${n}` })
    await policy.addRule(ana, { ...ofAna, expires_at: clock.now() + 10 })
    await expect(policy.addRule(ana, ofAna)).rejects.toMatchObject({ code: 'quota_exceeded' })
    clock.advance(10)
    await policy.addRule(ana, ofAna)
    expect(policy.rules(ana)).toHaveLength(1_000)
    for (const { rule_id } of policy.rules(ana).slice(0, 2)) await policy.removeRule(ana, rule_id)
    await policy.addRule(ana, { ...ofAna, session_id: 's1', effect: 'deny' })
    await policy.addRule(ana, { ...ofAna, session_id: 's1' })
    const last = await policy.addRule(ana, { ...ofAna, session_id: 's2' })
    const ofSessions = policy.rules(ana).filter(({ session_id }) => session_id !== null)
    expect(ofSessions).toMatchObject([{ effect: 'deny' }, { rule_id: last.rule_id }])
  })
})

describe('what a tenant may keep has an end', () => {
  const quotas = { allowLists: 2, entries: 3, rules: 2, userRules: 3, rulesPerUser: 2, limits: 2 }
  const full = { code: 'quota_exceeded' }
  const agent = (id: string) => ({ kind: 'agent', id }) as const

  test('of lists, which can be replaced and removed, and of their entries', async () => {
    const { policy } = createTestWorld({ quotas })
    const two = [...everything, { server_id: 's', tool: 'do' }]
    await policy.setAllowList(admin, agent('a'), two)
    await expect(policy.setAllowList(admin, agent('b'), two)).rejects.toMatchObject(full)
    await policy.setAllowList(admin, agent('b'), everything)
    await policy.setAllowList(admin, agent('a'), two)
    await expect(policy.setAllowList(admin, agent('c'), [])).rejects.toMatchObject(full)
    await policy.clearAllowList(admin, agent('a'))
    await policy.setAllowList(admin, agent('c'), two)
    await policy.setAllowList({ ...admin, tenant_id: 't2' }, agent('a'), two)
  })

  test('of rules, of the tenant and of its users, and of limits', async () => {
    const { policy } = createTestWorld({ quotas })
    const adding = [0, 1, 2].map(() => policy.addRule(admin, ofTenant))
    expect((await Promise.allSettled(adding)).map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected'],
    ])
    for (let n = 0; n < 2; n++) await policy.addLimit(admin, limit)
    await expect(policy.addLimit(admin, limit)).rejects.toMatchObject(full)
    for (const id of ['ana', 'bo', 'cy']) {
      await policy.addRule(admin, { ...ofAna, subject: { kind: 'user', id } })
    }
    await expect(policy.addRule(ana, ofAna)).rejects.toMatchObject(full)
    await policy.addRule(platformAdmin, ofPlatform)
  })

  test('of rules, where those of old sessions make room for others’', async () => {
    const { policy } = createTestWorld({ quotas })
    for (const id of ['bo', 'bo', 'cy']) {
      const subject = { kind: 'user', id } as const
      await policy.addRule(admin, { ...ofAna, subject, session_id: 's1' })
    }
    const added = await policy.addRule(ana, ofAna)
    expect(policy.rules(ana)).toEqual([added])
  })
})

describe('a change', () => {
  test('holds when it resolves, is published, and told of', async () => {
    const { policy, told } = createTestWorld()
    const changed: string[] = []
    const stop = policy.onChange((tenant_id) => changed.push(tenant_id))
    const list = await policy.setAllowList(admin, { kind: 'agent', id: 'a' }, everything)
    expect(policy.allowList('t1', { kind: 'agent', id: 'a' })).toEqual(list)
    expect(list).toMatchObject({ updated_by: 'adam', revision: policy.revision })
    await policy.addRule(platformAdmin, ofPlatform)
    stop()
    await policy.reload()
    expect([changed, told.published]).toEqual([
      ['t1', '*'],
      ['t1', '*'],
    ])
  })

  test('that the store refuses leaves memory as it was', async () => {
    const away = () => Promise.reject(new AppError('store_unavailable', 'away'))
    const { rows } = createTestWorld()
    const { policy } = createTestWorld({ rows: { ...rows, putRule: away } })
    await expect(policy.addRule(ana, ofAna)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(policy.rules(ana)).toEqual([])
    await policy.setAllowList(admin, { kind: 'agent', id: 'a' }, everything)
  })

  test('is not undone by a reload that began before it', async () => {
    const { rows } = createTestWorld()
    const slow = Promise.withResolvers<void>()
    const load: typeof rows.load = async (tenant_id) => {
      const stored = await rows.load(tenant_id)
      await slow.promise
      return stored
    }
    const { policy } = createTestWorld({ rows: { ...rows, load } })
    const reloading = policy.reload('t1')
    const adding = policy.addRule(ana, ofAna)
    slow.resolve()
    await Promise.all([reloading, adding])
    expect(policy.rules(ana)).toHaveLength(1)
  })

  test('is not read again by the process that made it, and alone by others', async () => {
    const { rows } = createTestWorld()
    const read: string[] = []
    const watched: typeof rows = {
      ...rows,
      async load(tenant_id) {
        read.push('all')
        return rows.load(tenant_id)
      },
      async loadSince(tenant_id, revision) {
        const since = await rows.loadSince(tenant_id, revision)
        read.push(`${since.allowLists.length} ${since.rules.length} ${since.limits.length}`)
        return since
      },
    }
    const [here, there] = [0, 0].map(() => createTestWorld({ rows: watched }).policy)
    await here!.setAllowList(admin, { kind: 'agent', id: 'a' }, everything)
    for (let n = 0; n < 5; n++) await here!.addLimit(admin, limit)
    for (const policy of [here!, there!]) await policy.reload()
    const heard: string[] = []
    here!.onChange((tenant_id) => heard.push(`here ${tenant_id}`))
    there!.onChange((tenant_id) => heard.push(`there ${tenant_id}`))
    const rule = await here!.addRule(admin, ofTenant)
    for (const policy of [here!, there!]) await policy.reload('t1')
    expect(there!.rules(admin)).toEqual([rule])
    await here!.removeRule(admin, rule.rule_id)
    for (const policy of [here!, there!]) await policy.reload('t1')
    expect(there!.rules(admin)).toEqual([])
    expect(read).toEqual(['all', 'all', '0 1 0', '0 1 0', '0 0 0', '0 0 0'])
    expect(heard).toEqual(['here t1', 'there t1', 'here t1', 'there t1'])
    expect(there!.revision).toBe(here!.revision)
  })

  test('made elsewhere holds after a reload, a deletion too, under its revision', async () => {
    const { policy: elsewhere, rows } = createTestWorld()
    const { policy, catalogue, servers } = createTestWorld({ rows })
    catalogue.add(servers.add({ server_id: 's' }), 'do')
    await elsewhere.setAllowList(admin, { kind: 'agent', id: 'a' }, everything)
    await policy.reload()
    expect(policy.list({ principal: agentA })).toHaveLength(1)
    await elsewhere.clearAllowList(admin, { kind: 'agent', id: 'a' })
    await policy.reload('t1')
    expect(policy.list({ principal: agentA })).toEqual([])
    expect(policy.revision).toBe(elsewhere.revision)
  })
})

test('limits that count are those of the caller, its kind and its tenant', async () => {
  const { policy, servers } = createTestWorld()
  servers.add({ server_id: 's' })
  const added = await policy.addLimit(admin, limit)
  const ofAll = await policy.addLimit(admin, { ...limit, subject: { kind: 'tenant', id: 't1' } })
  await policy.addLimit(admin, { ...limit, server_id: 'other' })
  await policy.addLimit(admin, { ...limit, tool: 'else' })
  await policy.addLimit(admin, { ...limit, subject: { kind: 'agent', id: 'b' } })
  const ref = { server_id: 's', name: 'do' }
  expect(policy.limitsFor(agentA, ref)).toEqual([added, ofAll])
  expect(policy.limitsFor(ana, ref)).toEqual([ofAll])
  expect(policy.limitsFor({ ...agentA, tenant_id: 't2' }, ref)).toEqual([])
  await policy.removeLimit(admin, ofAll.limit_id)
  expect(policy.limitsFor(ana, ref)).toEqual([])
})

describe('what is not of the form is named', () => {
  const subject = { kind: 'agent', id: 'a' }
  const lists: [string, unknown, unknown][] = [
    ['subject', undefined, []],
    ['subject', 'agent', []],
    ['subject.kind', { kind: 'robot', id: 'a' }, []],
    ['subject.id', { kind: 'agent', id: 7 }, []],
    ['entries', subject, undefined],
    ['entries', subject, { server_id: 's', tool: '*' }],
    ['entries', subject, 'abc'],
    ['entries[0]', subject, [null]],
    ['entries[1]', subject, [{ server_id: 's', tool: '*' }, 's/*']],
    ['entries[0].tool', subject, [{ server_id: 's' }]],
    ['entries[0].tool', subject, [{ server_id: 's', tool: 7 }]],
    ['entries[0].tool', subject, [{ server_id: 's', tool: '[' }]],
    ['entries[0].server_id', subject, [{ tool: '*' }]],
  ]
  test.each(lists)('%s of a list', async (field, of, entries) => {
    const { policy } = createTestWorld()
    const set = policy.setAllowList(admin, of as never, entries as never)
    await expect(set).rejects.toMatchObject(refusalOf(field))
  })

  test('the subject of a list to clear', async () => {
    const cleared = createTestWorld().policy.clearAllowList(admin, undefined as never)
    await expect(cleared).rejects.toMatchObject(refusalOf('subject'))
  })

  const rules: [string, unknown][] = [
    ['rule', undefined],
    ['rule', []],
    ['tier', { ...ofTenant, tier: undefined }],
    ['subject', { ...ofTenant, subject: undefined }],
    ['subject', { ...ofPlatform, subject: null }],
    ['subject', { ...ofAna, subject: 'ana' }],
    ['server_id', { ...ofTenant, server_id: undefined }],
    ['tool', { ...ofTenant, tool: undefined }],
    ['effect', { ...ofTenant, effect: ['allow'] }],
    ['trusts', { ...ofTenant, trusts: 's' }],
    ['trusts', { ...ofTenant, trusts: { length: 0 } }],
    ['trusts[0]', { ...ofTenant, trusts: [7] }],
    ['session_id', { ...ofTenant, session_id: 7 }],
    ['expires_at', { ...ofTenant, expires_at: '2030' }],
    ['note', { ...ofTenant, note: 7 }],
  ]
  test.each(rules)('%s of a rule', async (field, rule) => {
    const added = createTestWorld().policy.addRule(platformAdmin, rule as never)
    await expect(added).rejects.toMatchObject(refusalOf(field))
  })

  const limits: [string, unknown][] = [
    ['limit', null],
    ['subject', { ...limit, subject: undefined }],
    ['server_id', { ...limit, server_id: 7 }],
    ['tool', { ...limit, tool: undefined }],
    ['max_calls', { ...limit, max_calls: '3' }],
    ['window_ms', { ...limit, window_ms: undefined }],
  ]
  test.each(limits)('%s of a limit', async (field, given) => {
    const added = createTestWorld().policy.addLimit(admin, given as never)
    await expect(added).rejects.toMatchObject(refusalOf(field))
  })

  function refusalOf(field: string) {
    return { code: 'invalid_request', message: expect.stringContaining(`${field}:`) }
  }
})
