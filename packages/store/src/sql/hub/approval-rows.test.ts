import { randomUUID } from 'node:crypto'
import type { ApprovalRow, ApprovalRows, DecidedFields } from '@dataagent/hub'
import { longCount } from '@dataagent/testkit'
import { Kysely } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createApprovalRows } from './approval-rows.ts'

await describeSql('approval rows', (subject) => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  let shared: ApprovalRows | undefined

  /** The rows over connections of their own. */
  function connect(): ApprovalRows {
    const engine = createEngine({ url: subject().url })
    stack.defer(() => engine.close())
    const db = new Kysely<Database>({ dialect: engine.dialect })
    return createApprovalRows({ db, engine })
  }

  function rows(): ApprovalRows {
    shared ??= connect()
    return shared
  }

  async function stored(fields: Partial<ApprovalRow> = {}): Promise<ApprovalRow> {
    const row = aRow(fields)
    await rows().insert(row)
    return row
  }

  test('a row comes back as it was stored, under its own tenant and exact id only', async () => {
    const row = await stored({
      action_request: JSON.stringify({ name: 'a\0b', args: { 订单: '\u202e' }, description: '' }),
      message: 'it’s 😀',
    })
    expect(await rows().get('t1', row.approval_id)).toEqual(row)
    expect(await rows().get('t2', row.approval_id)).toBeUndefined()
    expect(await rows().get('t1', `${row.approval_id} `)).toBeUndefined()
    expect(await rows().get('t1', row.approval_id.toUpperCase())).toBeUndefined()
    await expect(rows().insert(row)).rejects.toMatchObject({ code: 'conflict' })
    await expect(rows().insert({ ...row, tenant_id: 't2' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('many are read at once, those that there are', async () => {
    const some = await Promise.all([stored(), stored({ tenant_id: 't2' })])
    const others = Array.from({ length: 1_200 }, () => randomUUID())
    const ids = some.map(({ approval_id }) => approval_id)
    const read = await rows().getMany([ids[0]!, ...others, ids[1]!])
    expect(read.map(({ approval_id }) => approval_id).toSorted()).toEqual(ids.toSorted())
    expect(await rows().getMany([])).toEqual([])
  })

  test('the newest of a caller for a digest is found', async () => {
    const digest = randomUUID()
    await stored({ digest, created_at: 1_000 })
    const newest = await stored({ digest, created_at: 1_002 })
    await stored({ digest, created_at: 1_001 })
    await stored({ digest, created_at: 1_003, caller: 'another' })
    await stored({ digest, created_at: 1_004, tenant_id: 't2' })
    expect(await rows().findByDigest('t1', 'caller', digest)).toEqual(newest)
    expect(await rows().findByDigest('t1', 'caller', 'unknown')).toBeUndefined()
  })

  test('lists by tenant, status, caller, and by who asked or was given it, newest first', async () => {
    const tenant_id = randomUUID()
    const own = await stored({ tenant_id, created_at: 1 })
    const given = await stored({ tenant_id, created_at: 2, user_id: 'bo', assignee: 'ana' })
    const other = await stored({ tenant_id, created_at: 3, user_id: null, caller: 'machine' })
    await rows().decide(other, approved())
    const list = async (query: object) =>
      (await rows().list({ tenant_id, limit: 10, offset: 0, ...query })).map(
        ({ approval_id }) => approval_id,
      )
    expect(await list({})).toEqual([other, given, own].map(({ approval_id }) => approval_id))
    expect(await list({ user_id: 'ana' })).toEqual([given.approval_id, own.approval_id])
    expect(await list({ user_id: 'bo' })).toEqual([given.approval_id])
    expect(await list({ caller: 'machine' })).toEqual([other.approval_id])
    expect(await list({ status: 'decided' })).toEqual([other.approval_id])
    expect(await list({ limit: 1, offset: 1 })).toEqual([given.approval_id])
  })

  test('a decision is stored once, with who, how and when', async () => {
    const { approval_id } = await stored()
    expect(await rows().decide({ tenant_id: 't2', approval_id }, approved())).toBe(false)
    expect(await rows().decide({ tenant_id: 't1', approval_id }, approved())).toBe(true)
    expect(await rows().decide({ tenant_id: 't1', approval_id }, rejected())).toBe(false)
    expect(await rows().get('t1', approval_id)).toMatchObject({
      status: 'decided',
      ...approved(),
      used_at: null,
    })
  })

  test('only expiry decides what has expired, and nothing else', async () => {
    const { approval_id } = await stored({ expires_at: 5_000 })
    const expiry = (decided_at: number) => ({ ...rejected(decided_at), via: 'expiry' as const })
    expect(await rows().decide({ tenant_id: 't1', approval_id }, expiry(4_999))).toBe(false)
    expect(await rows().decide({ tenant_id: 't1', approval_id }, approved(5_000))).toBe(false)
    expect(await rows().decide({ tenant_id: 't1', approval_id }, expiry(5_000))).toBe(true)
  })

  test('an approval is used once, by its digest, while it is fresh; a rejection never', async () => {
    const { approval_id, digest } = await stored()
    const use = { used_at: 3_000, digest, decided_after: 1_999 }
    expect(await rows().use({ tenant_id: 't1', approval_id }, use)).toBe(false)
    await rows().decide({ tenant_id: 't1', approval_id }, approved(2_000))
    expect(await rows().use({ tenant_id: 't2', approval_id }, use)).toBe(false)
    expect(await rows().use({ tenant_id: 't1', approval_id }, { ...use, digest: 'another' })).toBe(
      false,
    )
    expect(
      await rows().use({ tenant_id: 't1', approval_id }, { ...use, decided_after: 2_000 }),
    ).toBe(false)
    expect(await rows().use({ tenant_id: 't1', approval_id }, use)).toBe(true)
    expect(await rows().use({ tenant_id: 't1', approval_id }, use)).toBe(false)
    expect(await rows().get('t1', approval_id)).toMatchObject({ status: 'used', used_at: 3_000 })
    const no = await stored()
    await rows().decide(no, rejected())
    expect(await rows().use(no, { ...use, digest: no.digest })).toBe(false)
  })

  test('one that was used is used once more for each earlier use that its user names, once', async () => {
    const { approval_id, digest } = await stored()
    const ref = { tenant_id: 't1', approval_id }
    const first = { used_at: 3_000, digest, decided_after: 1_999 }
    const again = { ...first, used_at: 4_000, earlier_use: 3_000 }
    await rows().decide(ref, approved(2_000))
    expect(await rows().use(ref, again)).toBe(false)
    expect(await rows().use(ref, first)).toBe(true)
    expect(await rows().use({ tenant_id: 't2', approval_id }, again)).toBe(false)
    for (const change of [{ earlier_use: 2_999 }, { digest: 'another' }, { decided_after: 2_000 }])
      expect(await rows().use(ref, { ...again, ...change })).toBe(false)
    const hands = [rows(), connect(), connect(), connect()]
    const uses = hands.map((each, n) => each.use(ref, { ...again, used_at: 4_000 + n }))
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
    expect(await rows().use(ref, again)).toBe(false)
    expect((await rows().get('t1', approval_id))?.used_at).toBeGreaterThanOrEqual(4_000)
  })

  test('what expired or was withdrawn can be asked again, what a person decided cannot', async () => {
    const round = { expires_at: 90_000, tool_call_id: 'second', session_id: 's2' }
    for (const via of ['expiry', 'withdrawal'] as const) {
      const row = await stored()
      expect(await rows().reask(row, round)).toBe(false)
      const decided_at = via === 'expiry' ? row.expires_at : 2_000
      await rows().decide(row, { ...rejected(decided_at), via, decided_by: null })
      expect(await rows().reask(row, round)).toBe(true)
      expect(await rows().get('t1', row.approval_id)).toEqual({ ...row, ...round, asked: 2 })
    }
    const { approval_id } = await stored()
    await rows().decide({ tenant_id: 't1', approval_id }, rejected())
    expect(await rows().reask({ tenant_id: 't1', approval_id }, round)).toBe(false)
  })

  test('it is handed over while it is pending', async () => {
    const { approval_id, expires_at } = await stored()
    const to = { assignee: 'bo', now: 2_000 }
    expect(await rows().assign({ tenant_id: 't2', approval_id }, to)).toBe(false)
    expect(await rows().assign({ tenant_id: 't1', approval_id }, { ...to, now: expires_at })).toBe(
      false,
    )
    expect(await rows().assign({ tenant_id: 't1', approval_id }, to)).toBe(true)
    expect(await rows().assign({ tenant_id: 't1', approval_id }, to)).toBe(true)
    expect((await rows().get('t1', approval_id))?.assignee).toBe('bo')
    await rows().decide({ tenant_id: 't1', approval_id }, approved())
    expect(await rows().assign({ tenant_id: 't1', approval_id }, to)).toBe(false)
  })

  test('four processes that sweep expire each approval once, none that is not due', async () => {
    const sweepers = [rows(), connect(), connect(), connect()]
    await rows().expire(Number.MAX_SAFE_INTEGER, 1_000)
    const due = await Promise.all(
      Array.from({ length: 30 }, (_, n) => stored({ expires_at: 10_000 + n })),
    )
    const later = await stored({ expires_at: 20_000 })
    expect(await rows().expire(10_004, 2)).toHaveLength(2)
    const swept = await Promise.all(sweepers.map((sweeper) => sweeper.expire(19_999, 100)))
    expect(swept.flat()).toHaveLength(28)
    expect(swept.flat()[0]).toMatchObject({ via: 'expiry', decision: 'reject', status: 'decided' })
    const { approval_id } = swept.flat()[0]!
    expect(await rows().get('t1', approval_id)).toEqual(swept.flat()[0])
    expect(await rows().get('t1', later.approval_id)).toEqual(later)
    expect(new Set(swept.flat().map((row) => row.approval_id)).size + 2).toBe(due.length)
  })

  const races = longCount(3, 200)

  test(`of ${races * 100} mixed decisions, 100 at once over four connections, exactly one of each hundred takes place [T41]`, async () => {
    const hands = [rows(), connect(), connect(), connect()]
    for (let n = 0; n < races; n++) {
      const { approval_id, digest } = await stored({ expires_at: 5_000 })
      const decisions = Array.from({ length: 100 }, (_, n) => decisionOf(n))
      const won = await Promise.all(
        decisions.map((decided, n) =>
          hands[n % 4]!.decide({ tenant_id: 't1', approval_id }, decided),
        ),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      const winner = decisions[won.indexOf(true)]!
      expect(await rows().get('t1', approval_id)).toMatchObject(winner)
      const use = { used_at: 6_000, digest, decided_after: 0 }
      const used = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          hands[n % 4]!.use({ tenant_id: 't1', approval_id }, use),
        ),
      )
      expect(used.filter(Boolean)).toHaveLength(winner.decision === 'approve' ? 1 : 0)
    }
  })
})

function decisionOf(n: number): DecidedFields {
  const decided_by = `user-${n}`
  return [
    { ...approved(), decided_by },
    { ...rejected(), decided_by },
    { ...rejected(5_000 + n), via: 'expiry' as const, decided_by: null },
    { ...rejected(), via: 'withdrawal' as const, message: `${n}`, decided_by: null },
  ][n % 4]!
}

function approved(decided_at = 2_000): DecidedFields {
  const decision_details = '{"scope":"tool"}'
  const by = { via: 'person', decided_by: 'bo', decided_at } as const
  return { decision: 'approve', message: 'yes', ...by, decision_details }
}

function rejected(decided_at = 2_000): DecidedFields {
  const by = { via: 'person', decided_by: 'bo', decided_at } as const
  return { decision: 'reject', message: '', ...by, decision_details: null }
}

function aRow(fields: Partial<ApprovalRow>): ApprovalRow {
  return {
    approval_id: randomUUID(),
    tenant_id: 't1',
    status: 'pending',
    caller: 'caller',
    user_id: 'ana',
    agent_id: null,
    session_id: 's1',
    run_id: null,
    assignee: null,
    tool_call_id: 'c1',
    server_id: 'mall',
    tool_name: 'refund',
    definition_hash: 'h',
    digest: randomUUID(),
    action_request: '{}',
    reason: 'a rule says so',
    decision: null,
    message: null,
    via: null,
    decided_by: null,
    decided_at: null,
    decision_details: null,
    used_at: null,
    asked: 1,
    created_at: 1_000,
    expires_at: 301_000,
    ...fields,
  }
}
