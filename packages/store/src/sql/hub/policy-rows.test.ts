import type { AllowList, Limit, PolicyRows, Rule } from '@dataagent/hub'
import { Kysely } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createPolicyRows } from './policy-rows.ts'
import { createRevisionRows } from './revision-rows.ts'

await describeSql('policy rows', (subject) => {
  const cleanup = new AsyncDisposableStack()
  afterAll(() => cleanup.disposeAsync())

  function open() {
    const engine = createEngine({ url: subject().url })
    const db = new Kysely<Database>({ dialect: engine.dialect })
    cleanup.defer(() => engine.close())
    return {
      rows: createPolicyRows({ db, engine }),
      revisions: createRevisionRows({ db, engine }),
    }
  }

  test('lists, rules and limits come back as they were put, under their own tenant', async () => {
    const { rows } = open()
    const list = anAllowList('t1', { entries: [{ server_id: 's', tool: '读_*' }] })
    const rule = aRule('t1', { trusts: ['web', '*'], session_id: 's1', expires_at: 7 })
    const limit = aLimit('t1')
    const revisions = await putAll(rows, { list, rule, limit })
    const other = await rows.putRule(aRule('t2'))
    expect(await rows.load('t1')).toEqual({
      revisions: [{ tenant_id: 't1', revision: revisions[2] }],
      allowLists: [{ ...list, revision: revisions[0] }],
      rules: [{ ...rule, revision: revisions[1] }],
      limits: [{ ...limit, revision: revisions[2] }],
    })
    const all = await rows.load()
    expect(all.rules.map(({ tenant_id }) => tenant_id).sort()).toEqual(['t1', 't2'])
    expect(all.revisions).toContainEqual({ tenant_id: 't2', revision: other })
  })

  test('what is put again replaces, with a higher revision', async () => {
    const { rows } = open()
    const first = await rows.putAllowList(anAllowList('again'))
    const second = await rows.putAllowList(anAllowList('again', { updated_by: 'eve' }))
    await rows.putRule(aRule('again'))
    await rows.putRule(aRule('again', { effect: 'deny' }))
    await rows.putLimit(aLimit('again'))
    await rows.putLimit(aLimit('again', { max_calls: 9 }))
    expect(second).toBeGreaterThan(first)
    expect(await rows.load('again')).toMatchObject({
      allowLists: [{ updated_by: 'eve', revision: second }],
      rules: [{ effect: 'deny' }],
      limits: [{ max_calls: 9 }],
    })
  })

  test('what was put since a revision comes with the keys of all that there is', async () => {
    const { rows } = open()
    const list = anAllowList('since')
    const [, after = 0] = await putAll(rows, { list, rule: aRule('since'), limit: aLimit('since') })
    const revision = await rows.putRule(aRule('since', { rule_id: 'r2' }))
    expect(await rows.loadSince('since', after)).toMatchObject({
      ...{ revision, allowLists: [], rules: [{ rule_id: 'r2', revision }] },
      limits: [{ limit_id: 'l1' }],
      keys: { allowLists: [list.subject], rules: ['r1', 'r2'], limits: ['l1'] },
    })
    const last = await rows.deleteRule('since', 'r1')
    const keys = { rules: ['r2'] }
    expect(await rows.loadSince('since', revision)).toMatchObject({
      revision: last,
      rules: [],
      keys,
    })
    expect(await rows.loadSince('never', 0)).toMatchObject({ revision: 0, rules: [] })
  })

  test('more rows than are read at once come back whole', async () => {
    const { rows } = open()
    const put = (n: number) =>
      rows.putAllowList(anAllowList('many', { subject: { kind: 'agent', id: `a${n}` } }))
    for (let n = 0; n < 120; n++) await put(n)
    const { allowLists } = await rows.load('many')
    expect(new Set(allowLists.map(({ subject }) => subject.id)).size).toBe(120)
    expect(allowLists).toHaveLength(120)
  })

  test('of any number at once as many are put as there is room for', async () => {
    const { rows } = open()
    const room = { perTenant: 3, perSubject: 2 }
    const of = (n: number) => ({ kind: 'user', id: `u${n % 3}` }) as const
    const each = [0, 1, 2, 3, 4, 5]
    const settled = await Promise.allSettled([
      ...each.map((n) =>
        rows.putAllowList(
          anAllowList('full', { subject: { kind: 'user', id: `${n}` } }),
          undefined,
          {
            perTenant: 3,
          },
        ),
      ),
      ...each.map((n) => rows.putRule(aRule('full', { rule_id: `${n}` }), undefined, room)),
      ...each.map((n) =>
        rows.putLimit(aLimit('full', { limit_id: `${n}`, subject: of(n) }), undefined, room),
      ),
    ])
    const { allowLists, rules, limits } = await rows.load('full')
    expect([allowLists.length, rules.length, limits.length]).toEqual([3, 2, 3])
    const refused = settled.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(10)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'quota_exceeded' } })
    await rows.putAllowList(allowLists[0]!, undefined, { perTenant: 3 })
    await rows.putRule(aRule('full', { rule_id: 'own', tier: 'user' }), undefined, { perTenant: 1 })
  })

  test('deleting takes a revision, which outlives the row; a second time there is nothing', async () => {
    const { rows, revisions } = open()
    const list = anAllowList('gone')
    const before = (await putAll(rows, { list, rule: aRule('gone'), limit: aLimit('gone') }))[2]
    const deleteAll = async () => [
      await rows.deleteAllowList('gone', list.subject),
      await rows.deleteRule('gone', 'r1'),
      await rows.deleteLimit('gone', 'l1'),
    ]
    const [first = 0, second = 0, third = 0] = await deleteAll()
    expect([before, first, second, third].every((n, i, all) => !i || n! > all[i - 1]!)).toBe(true)
    const stored = await rows.load('gone')
    expect(stored).toMatchObject({ allowLists: [], rules: [], limits: [] })
    expect(stored.revisions).toEqual([{ tenant_id: 'gone', revision: third }])
    expect(await revisions.changedSince(third - 1)).toEqual([
      { tenant_id: 'gone', topic: 'policy', revision: third },
    ])
    expect(await deleteAll()).toEqual([undefined, undefined, undefined])
    expect((await rows.load('gone')).revisions).toEqual(stored.revisions)
  })

  test('another tenant or subject of the same ids is left alone', async () => {
    const { rows } = open()
    await putAll(rows, { list: anAllowList('a'), rule: aRule('a'), limit: aLimit('a') })
    expect(await rows.deleteRule('b', 'r1')).toBeUndefined()
    expect(await rows.deleteLimit('b', 'l1')).toBeUndefined()
    const subjects = [
      { kind: 'api_key', id: 'agent-a' },
      { kind: 'agent', id: 'AGENT-A' },
    ] as const
    for (const subject of subjects) {
      expect(await rows.deleteAllowList('a', subject)).toBeUndefined()
    }
    const { allowLists, rules, limits } = await rows.load('a')
    expect([allowLists.length, rules.length, limits.length]).toEqual([1, 1, 1])
  })

  test.each(['a ', '', 'x'.repeat(192), 'a\0'])('the id %j is refused', async (id) => {
    const { rows } = open()
    const refused = { code: 'invalid_request' }
    const list = anAllowList('ids', { subject: { kind: 'agent', id } })
    await expect(rows.putAllowList(list)).rejects.toMatchObject(refused)
    await expect(rows.putRule(aRule('ids', { tool: id }))).rejects.toMatchObject(refused)
    await expect(rows.putLimit(aLimit('ids', { server_id: id }))).rejects.toMatchObject(refused)
  })
})

type New<T> = Omit<T, 'revision'>

async function putAll(
  rows: PolicyRows,
  { list, rule, limit }: { list: New<AllowList>; rule: New<Rule>; limit: New<Limit> },
): Promise<number[]> {
  return [await rows.putAllowList(list), await rows.putRule(rule), await rows.putLimit(limit)]
}

function anAllowList(tenant_id: string, fields: Partial<AllowList> = {}): New<AllowList> {
  const subject = { kind: 'agent', id: 'agent-a' } as const
  return { tenant_id, subject, entries: [], updated_at: 1_000, updated_by: 'ana', ...fields }
}

function aRule(tenant_id: string, fields: Partial<Rule> = {}): New<Rule> {
  return {
    ...{ tenant_id, rule_id: 'r1', tier: 'tenant', subject: { kind: 'user', id: 'ana' } },
    ...{ server_id: '*', tool: 'delete_*', effect: 'ask', trusts: [], session_id: null },
    ...{ expires_at: null, note: 'why 为什么', created_at: 1_000, created_by: null },
    ...fields,
  } as New<Rule>
}

function aLimit(tenant_id: string, fields: Partial<Limit> = {}): New<Limit> {
  return {
    ...{ tenant_id, limit_id: 'l1', subject: { kind: 'tenant', id: '*' }, server_id: 's' },
    ...{ tool: '*', max_calls: 5, window_ms: 60_000, created_at: 1, created_by: 'ana' },
    ...fields,
  } as New<Limit>
}
