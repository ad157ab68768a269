import { randomUUID } from 'node:crypto'
import type { CallLogQuery, CallLogRow } from '@dataagent/hub'
import { longCount } from '@dataagent/testkit'
import { type CompiledQuery, Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { createEngine } from '../open-sql.ts'
import type { Database } from '../tables.ts'
import { createCallLogRows, toSelect } from './call-log-rows.ts'

await describeSql('the call log', (subject) => {
  const open = () => {
    const engine = createEngine({ url: subject().url })
    const db = new Kysely<Database>({ dialect: engine.dialect })
    const rows = createCallLogRows({ db, engine })
    return { db, engine, rows, [Symbol.asyncDispose]: engine.close }
  }

  test('a row comes back as it went in', async () => {
    await using log = open()
    const row = aRow({ tool_name: 'наme "x" 😀', args: '{"a":"é\\n"}', duration_ms: 2 ** 40 })
    await log.rows.append([row])
    expect(await log.rows.chain(row.tenant_id, row.writer, 0, 10)).toEqual([row])
  })

  test('a batch of thousands is stored once, however often it is sent [A5.2]', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const batch = aChain(tenant_id, longCount(2_000, 20_000))
    await log.rows.append(batch.slice(0, 700))
    await Promise.all([log.rows.append(batch), log.rows.append(batch.slice(500))])
    await log.rows.append(batch)
    const stored = await log.rows.chain(tenant_id, 'w', 0, 50_000)
    expect(stored).toEqual(batch)
  })

  test('a row that is there already is left as it is', async () => {
    await using log = open()
    const row = aRow()
    await log.rows.append([row])
    const others = [{ ...row, status: 'denied' as const }, aRow({ ...row, seq: 2 })]
    await log.rows.append(others)
    const stored = await log.rows.chain(row.tenant_id, row.writer, 0, 10)
    expect(stored.map(({ seq, status }) => [seq, status])).toEqual([
      [1, 'ok'],
      [2, 'ok'],
    ])
  })

  test('server and tool are compared with what the caller was told, where that is asked [A2.3]', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const refusal = (tool_name: string, code = 'tool_not_allowed') =>
      JSON.stringify({ code, message: '"code":"tool_not_allowed"', tool_name, advice: 'degrade' })
    const denied = { tenant_id, status: 'denied' as const, server_id: 's', tool_name: 'pay' }
    const odd = `Müll%_'"\\.pay`
    await log.rows.append([
      aRow({ ...denied, seq: 1, error: refusal('mall.pay') }),
      aRow({ ...denied, seq: 2, error: refusal(odd) }),
      aRow({ ...denied, seq: 3, error: refusal('pay', 'approval_required') }),
      aRow({ ...denied, seq: 4, error: null }),
      aRow({ ...denied, seq: 5, server_id: null, error: refusal('pay') }),
    ])
    const find = async (fields: Partial<CallLogQuery>) => {
      const found = await log.rows.query({ tenant_id, limit: 9, offset: 0, ...fields })
      return found.map(({ seq }) => seq).sort()
    }
    const as_told = true
    expect(await find({ as_told })).toEqual([1, 2, 3, 4, 5])
    expect(await find({ as_told, server_id: 's' })).toEqual([3, 4])
    expect(await find({ as_told, tool_name: 'pay' })).toEqual([3, 4, 5])
    expect(await find({ as_told, tool_name: 'mall.pay' })).toEqual([1])
    expect(await find({ as_told, tool_name: 'MALL.pay' })).toEqual([])
    expect(await find({ as_told, tool_name: odd })).toEqual([2])
    expect(await find({ as_told, tool_name: 'mall' })).toEqual([])
    expect(await find({ server_id: 's', tool_name: 'pay' })).toEqual([1, 2, 3, 4])
  })

  test('large texts are stored in several statements, all or none', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const batch = aChain(tenant_id, 12).map((row) => ({ ...row, result: 'x'.repeat(700_000) }))
    await log.rows.append(batch)
    expect(await log.rows.chain(tenant_id, 'w', 0, 50)).toHaveLength(12)
    if (subject().kind === 'sqlite') return
    const bad = aChain(tenant_id, 2_000).map((row) => ({ ...row, writer: 'x' }))
    bad[1_999] = { ...bad[1_999]!, session_id: 'x'.repeat(300) }
    await expect(log.rows.append(bad)).rejects.toThrow()
    expect(await log.rows.writers(tenant_id)).toEqual(['w'])
  })

  test('no row is no work', async () => {
    await using log = open()
    await log.rows.append([])
    await log.rows.putAnchors([])
  })

  test('a chain is read in pages, apart from those of other writers and tenants', async () => {
    await using log = open()
    const [tenant_id, other] = [randomUUID(), randomUUID()]
    await log.rows.append([
      ...aChain(tenant_id, 5),
      ...aChain(tenant_id, 3, 'v'),
      ...aChain(other, 2),
    ])
    expect(await log.rows.writers(tenant_id)).toEqual(['v', 'w'])
    const page = await log.rows.chain(tenant_id, 'w', 2, 2)
    expect(page.map(({ tenant_id, writer, seq }) => [tenant_id, writer, seq])).toEqual([
      [tenant_id, 'w', 3],
      [tenant_id, 'w', 4],
    ])
  })

  test('anchors are kept in order, each once', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const anchor = (seq: number, mac = 'm') => {
      return { tenant_id, writer: 'w', seq, hash: 'h', mac, anchored_at: seq }
    }
    await log.rows.putAnchors([anchor(2), anchor(1)])
    await log.rows.putAnchors([anchor(2, 'another'), anchor(3)])
    expect(await log.rows.anchors(tenant_id, 'w', 0, 10)).toEqual([1, 2, 3].map((n) => anchor(n)))
    expect(await log.rows.anchors(tenant_id, 'w', 1, 1)).toEqual([anchor(2)])
    expect(await log.rows.anchors(randomUUID(), 'w', 0, 10)).toEqual([])
  })

  test.each([
    { user_id: 'ana' },
    { session_id: 's1' },
    { agent_id: 'a1' },
    { group_id: 'g1' },
    { server_id: 'srv' },
    { tool_name: 'order.get' },
    { status: 'denied' as const },
    { trace_id: 't1' },
    { call_id: 'c1' },
  ])('is asked by %o', async (filter) => {
    await using log = open()
    const tenant_id = randomUUID()
    const rows = [
      aRow({ tenant_id, seq: 1, ...filter }),
      aRow({ tenant_id, seq: 2 }),
      aRow({ tenant_id: randomUUID(), seq: 3, ...filter }),
    ]
    await log.rows.append(rows)
    const query = { tenant_id, limit: 10, offset: 0, ...filter }
    expect(await log.rows.query(query)).toEqual([rows[0]])
  })

  test('is asked by time, newest first, in pages that neither repeat nor skip', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const rows = [4, 2, 2, 2, 9].map((started_at, at) =>
      aRow({ tenant_id, seq: at + 1, started_at }),
    )
    await log.rows.append(rows)
    const read = async (fields: Partial<CallLogQuery>) => {
      const found = await log.rows.query({ tenant_id, limit: 10, offset: 0, ...fields })
      return found.map(({ seq }) => seq)
    }
    expect(await read({})).toEqual([5, 1, 4, 3, 2])
    expect(await read({ from: 2, to: 4 })).toEqual([1, 4, 3, 2])
    expect(await read({ limit: 2, offset: 1 })).toEqual([1, 4])
    expect(await read({ limit: 2, offset: 3 })).toEqual([3, 2])
  })

  test('calls are counted by group and by user, with those that failed and the last one', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const rows = [
      aRow({ tenant_id, seq: 1, group_id: 'g1', user_id: 'ana', started_at: 5 }),
      aRow({ tenant_id, seq: 2, group_id: 'g1', started_at: 9, status: 'denied' }),
      aRow({ tenant_id, seq: 3, group_id: 'g2', started_at: 7 }),
      aRow({ tenant_id, seq: 4, started_at: 1 }),
      aRow({ tenant_id: randomUUID(), seq: 5, group_id: 'g1' }),
    ]
    await log.rows.append(rows)
    const byKey = (a: { key: string | null }, b: { key: string | null }) =>
      String(a.key) < String(b.key) ? -1 : 1
    const groups = await log.rows.tally({ tenant_id, from: 2 }, 'group_id')
    expect(groups.sort(byKey)).toEqual([
      { key: 'g1', calls: 2, failed: 1, last_at: 9 },
      { key: 'g2', calls: 1, failed: 0, last_at: 7 },
    ])
    const users = await log.rows.tally({ tenant_id, group_id: 'g1' }, 'user_id')
    expect(users.sort(byKey)).toEqual([
      { key: 'ana', calls: 1, failed: 0, last_at: 5 },
      { key: null, calls: 1, failed: 1, last_at: 9 },
    ])
  })

  test('calls are counted by the minute when they began, each status by itself', async () => {
    await using log = open()
    const tenant_id = randomUUID()
    const at = Date.UTC(2026, 10, 16, 10, 5)
    const rows = [
      aRow({ tenant_id, seq: 1, started_at: at }),
      aRow({ tenant_id, seq: 2, started_at: at + 59_999 }),
      aRow({ tenant_id, seq: 3, started_at: at + 30_000, status: 'denied' }),
      aRow({ tenant_id, seq: 4, started_at: at + 60_000 }),
      aRow({ tenant_id, seq: 5, started_at: at - 1 }),
    ]
    await log.rows.append(rows)
    const counted = await log.rows.tally({ tenant_id, from: at }, 'minute')
    expect(counted.sort((a, b) => a.last_at - b.last_at)).toEqual([
      ...[
        { key: '2026-11-16T10:05Z', status: 'denied', calls: 1, failed: 1, last_at: at + 30_000 },
      ],
      ...[{ key: '2026-11-16T10:05Z', status: 'ok', calls: 2, failed: 0, last_at: at + 59_999 }],
      ...[{ key: '2026-11-16T10:06Z', status: 'ok', calls: 1, failed: 0, last_at: at + 60_000 }],
    ])
  })

  test('an index answers, not the whole table', async () => {
    await using log = open()
    const rows = Array.from({ length: 3_000 }, (_, at) =>
      aRow({ tenant_id: `t${at % 50}`, seq: at + 1, user_id: `u${at % 7}`, started_at: at }),
    )
    await log.rows.append(rows)
    if (subject().kind !== 'mysql') await sql`analyze`.execute(log.db)
    const plan = async (fields: Partial<CallLogQuery>) => {
      const query = toSelect(log, { tenant_id: 't1', limit: 20, offset: 0, ...fields })
      return explain(log.db, subject().kind, query.compile())
    }
    expect(await plan({})).toMatch(/mcp_tool_call_log_(time|user|pk)|autoindex|primary/i)
    expect(await plan({ user_id: 'u1' })).toMatch(/mcp_tool_call_log_(user|time)/)
    expect(await plan({ call_id: rows[5]!.call_id })).toContain('mcp_tool_call_log_call')
    expect(await plan({ trace_id: rows[5]!.trace_id })).toContain('mcp_tool_call_log_trace')
  })
})

async function explain(db: Kysely<Database>, kind: string, query: CompiledQuery): Promise<string> {
  const verb = kind === 'sqlite' ? 'explain query plan ' : 'explain '
  const { rows } = await db.executeQuery({ ...query, sql: verb + query.sql })
  return JSON.stringify(rows)
}

function aChain(tenant_id: string, length: number, writer = 'w'): CallLogRow[] {
  return Array.from({ length }, (_, at) => aRow({ tenant_id, writer, seq: at + 1 }))
}

function aRow(fields: Partial<CallLogRow> = {}): CallLogRow {
  return {
    tenant_id: randomUUID(),
    writer: 'w',
    seq: 1,
    call_id: randomUUID(),
    trace_id: randomUUID(),
    span_id: '00f067aa0ba902b7',
    source: 'gateway',
    user_id: null,
    session_id: null,
    run_id: null,
    agent_id: null,
    api_key: null,
    group_id: null,
    server_id: null,
    tool_name: 'tool',
    schema_version: null,
    definition_hash: null,
    policy_revision: 1,
    decided_by: null,
    input_validation: 'ok',
    output_validation: 'no_schema',
    approval_id: null,
    attempts: 1,
    started_at: 1_000,
    ended_at: 1_005,
    duration_ms: 5,
    status: 'ok',
    error: null,
    args_digest: null,
    args: null,
    result: null,
    prev_hash: '0',
    hash: '1',
    ...fields,
  }
}
