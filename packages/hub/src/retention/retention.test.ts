import { randomUUID } from 'node:crypto'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeSql, type SqlSubject } from '@dataagent/store/sql/describe-sql'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ApprovalRow } from '../approvals/index.ts'
import { type CallRecord, createAudit } from '../audit/index.ts'
import { createNote } from '../changes/index.ts'
import type { HubLogEntry } from '../hub-options.ts'
import { createRetention, type RetentionOptions } from './retention.ts'

const dayMs = 24 * 60 * 60_000
const key = new Uint8Array(32).fill(7)

await describeSql('retention', (subject) => {
  test('calls go after their days, and what is left verifies', async () => {
    await using rig = await createRig(subject())
    await rig.write(7)
    await using lasting = rig.open()
    await rig.write(1_300, lasting)
    await rig.anchor(lasting)
    rig.clock.advance(60 * dayMs)
    await rig.write(5, lasting)
    await rig.anchor(lasting)
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 1_312, writers: 2 })
    rig.clock.advance(40 * dayMs)
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 5, writers: 2, faults: [] })
    await rig.write(3, lasting)
    await rig.anchor(lasting)
    rig.clock.advance(100 * dayMs)
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 0, writers: 2, faults: [] })
    expect(rig.logs).toEqual([])
  })

  test('0 days is for ever', async () => {
    await using rig = await createRig(subject(), { days: 0 })
    await rig.write(3)
    rig.clock.advance(10_000 * dayMs)
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 3 })
  })

  test('rows that are taken away by hand are missed, before and after', async () => {
    await using rig = await createRig(subject())
    await using lasting = rig.open()
    await rig.write(6, lasting)
    await rig.anchor(lasting)
    rig.clock.advance(100 * dayMs)
    await rig.write(6, lasting)
    await rig.anchor(lasting)
    await rig.sweep()
    const { retention, calls } = subject().store.hub
    const [writer] = await calls.writers(rig.tenant_id)
    const chain = { tenant_id: rig.tenant_id, writer: writer! }
    await retention.deleteCalls({ ...chain, to: 8 }, 100)
    const what = 'rows 7 to 8 are missing'
    expect((await rig.verify()).faults).toEqual([{ writer, seq: 7, what }])
    await retention.deleteAnchors({ ...chain, writer: `~${writer}`, before: 1_000 })
    expect((await rig.verify()).faults).toMatchObject([{ what: 'rows 1 to 8 are missing' }])
  })

  test('a word on where a chain begins that was not said with the key counts for nothing', async () => {
    await using rig = await createRig(subject())
    await rig.write(6)
    const { retention, calls } = subject().store.hub
    const [writer] = await calls.writers(rig.tenant_id)
    const [third] = await calls.chain(rig.tenant_id, writer!, 2, 1)
    const forged = { tenant_id: rig.tenant_id, writer: `~${writer}`, seq: 3, anchored_at: 1 }
    await calls.putAnchors([{ ...forged, hash: `${third!.hash} 1`, mac: 'x'.repeat(64) }])
    await retention.deleteCalls({ tenant_id: rig.tenant_id, writer: writer!, to: 3 }, 100)
    expect((await rig.verify()).faults).toMatchObject([{ what: 'rows 1 to 3 are missing' }])
  })

  test('a chain in which something was changed is kept from there, and told', async () => {
    const { calls } = subject().store.hub
    const chain: typeof calls.chain = async (...args) =>
      (await calls.chain(...args)).map((row) => (row.seq === 4 ? { ...row, user_id: 'x' } : row))
    await using rig = await createRig(subject(), { calls: { ...calls, chain } })
    await using lasting = rig.open()
    await rig.write(2, lasting)
    await rig.anchor(lasting)
    await rig.write(4, lasting)
    await rig.anchor(lasting)
    rig.clock.advance(100 * dayMs)
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ faults: [], rows: 4 })
    const message = expect.stringContaining('does not verify at row 4')
    expect(rig.logs).toMatchObject([{ level: 'error', message, tenant_id: rig.tenant_id }])
  })

  test('tools that are gone, and versions of servers that were removed, go too', async () => {
    await using rig = await createRig(subject())
    const { servers, tools } = subject().store.hub
    const now = rig.clock.now()
    for (const name of ['kept', 'removed', 'lately']) await servers.insert(rig.server(name))
    await rig.putTool('kept', 'active', now)
    await rig.putTool('kept', 'gone', now)
    await rig.putTool('removed', 'active', now)
    await rig.putTool('lately', 'active', now)
    await rig.remove('removed')
    rig.clock.advance(100 * dayMs)
    await rig.putTool('kept', 'gone', rig.clock.now(), 'newly')
    await rig.remove('lately')
    const before = (await subject().store.hub.revisions.changedSince(0)).at(-1)!.revision
    await rig.sweep()
    const left = (await tools.list(rig.tenant_id)).map(({ name }) => name)
    expect(left.sort()).toEqual(['active', 'newly'])
    const versions = await tools.listHashes(rig.tenant_id)
    const named = versions.map(({ server_id, name }) => `${server_id}/${name}`)
    expect(named.sort()).toEqual(['kept/active', 'kept/newly', 'lately/active'])
    const changed = await subject().store.hub.revisions.changedSince(before)
    expect(changed).toMatchObject([{ tenant_id: rig.tenant_id, topic: 'tools' }])
  })

  test('approvals that were decided go after their days; one that waits stays', async () => {
    await using rig = await createRig(subject())
    const { approvals } = subject().store.hub
    const expires_at = rig.clock.now() + dayMs
    const decided = Array.from({ length: 60 }, () => 'decided' as const)
    const statuses = ['pending', ...decided, 'used'] as const
    for (const [index, status] of statuses.entries())
      await approvals.insert(rig.approval(`old-${index}`, { status, expires_at }))
    rig.clock.advance(100 * dayMs)
    await approvals.insert(
      rig.approval('new', { status: 'decided', expires_at: rig.clock.now() - dayMs }),
    )
    await rig.sweep()
    const left = await approvals.list({ tenant_id: rig.tenant_id, limit: 100, offset: 0 })
    expect(left.map(({ approval_id }) => approval_id.slice(rig.tenant_id.length))).toEqual([
      ...['new', 'old-0'],
    ])
  })

  test('a sweep that is cut off is ended by the next one', async () => {
    const { retention } = subject().store.hub
    await using rig = await createRig(subject())
    await rig.write(5)
    rig.clock.advance(100 * dayMs)
    const auditedTenants = async () => [rig.tenant_id]
    const deleteCalls: typeof retention.deleteCalls = async (chain) => {
      await retention.deleteCalls({ ...chain, to: 2 }, 100)
      throw new Error('the database is away')
    }
    const rows = { ...retention, auditedTenants, deleteCalls }
    await expect(rig.sweep({ rows })).rejects.toThrow('away')
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 0, faults: [] })
    const { calls } = subject().store.hub
    const left = async () =>
      (await calls.query({ tenant_id: rig.tenant_id, limit: 9, offset: 0 })).length
    expect(await left()).toBe(3)
    await rig.sweep()
    expect(await left()).toBe(0)
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 0 })
  })

  test('of processes that share a KV one sweeps', async () => {
    await using rig = await createRig(subject())
    await rig.write(3)
    rig.clock.advance(100 * dayMs)
    const lease = await rig.kv.acquireLease('hub:retention', { ttlMs: 60_000, owner: 'another' })
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ rows: 3 })
    await lease?.release()
    await rig.sweep()
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 0 })
  })

  test('two that sweep at once, each with a KV of its own, are in no way of each other', async () => {
    await using rig = await createRig(subject())
    await rig.write(1_500)
    rig.clock.advance(100 * dayMs)
    await using other = createMemoryKv({ clock: rig.clock })
    await Promise.all([rig.sweep(), rig.sweep({ kv: other }), rig.verify()])
    expect(await rig.verify()).toMatchObject({ ok: true, rows: 0 })
    expect(rig.logs).toEqual([])
  })
})

/** A tenant of its own, with a clock that the test moves. */
async function createRig({ store }: SqlSubject, options: Partial<RetentionOptions> = {}) {
  const cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const clock = createFakeClock()
  const kv = cleanup.use(createMemoryKv({ clock }))
  const tenant_id = randomUUID()
  const logs: HubLogEntry[] = []
  const { calls, retention: stored, servers, tools } = store.hub
  const rows = { ...stored, auditedTenants: async () => [tenant_id] }
  const open = () => createAudit({ rows: calls, dir, writer: 'w', anchorKey: key, clock })

  return {
    clock,
    kv,
    tenant_id,
    logs,
    open,
    /** Records calls of now; with an audit of its own where none is given. */
    async write(count: number, audit?: ReturnType<typeof open>) {
      await using own = audit ? undefined : open()
      for (let n = 0; n < count; n += 1) (own ?? audit)?.record(aRecord(tenant_id, clock.now()))
      await (own ?? audit)?.flush()
    },
    /** A minute passes, and the heads of the chains are anchored. */
    async anchor(audit: ReturnType<typeof open>) {
      clock.advance(60_000)
      await audit.verify('nobody')
    },
    async sweep(means: Partial<RetentionOptions> = {}) {
      const onLog = (entry: HubLogEntry) => logs.push(entry)
      const results = { sweep: async () => {} }
      const sessions = results
      const own = {
        rows,
        calls,
        results,
        sessions,
        key,
        kv,
        owner: randomUUID(),
        clock,
        days: 90,
        onLog,
      }
      await createRetention({ ...own, ...options, ...means }).sweep()
    },
    async verify() {
      await using audit = open()
      return audit.verify(tenant_id)
    },
    server: (server_id: string) => ({
      ...{ tenant_id, server_id, owner: '', name: server_id, config: '{}', secrets: null },
      ...{ created_at: 1, updated_at: 1, created_by: null },
    }),
    approval(name: string, fields: Pick<ApprovalRow, 'status' | 'expires_at'>): ApprovalRow {
      const nobody = { user_id: null, agent_id: null, session_id: null, run_id: null }
      const tool = { server_id: 'mall', tool_name: 'refund', definition_hash: 'h' }
      const asked = { tool_call_id: 'c1', digest: randomUUID(), action_request: '{}', reason: '' }
      const undecided = { decision: null, message: null, via: null, decided_by: null }
      return {
        ...{ approval_id: `${tenant_id}${name}`, tenant_id, caller: 'caller', assignee: null },
        ...{ ...nobody, ...tool, ...asked, ...undecided, decided_at: null, used_at: null },
        ...{ decision_details: null, asked: 1, created_at: clock.now(), ...fields },
      }
    },
    async remove(server_id: string) {
      const by = { tenant_id, user_id: 'ana', role: 'admin' } as const
      const removed = { tenant_id, kind: 'server', target: server_id, action: 'removed' } as const
      await servers.delete({ tenant_id, server_id }, createNote({ clock })(by, removed))
    },
    async putTool(server_id: string, state: 'active' | 'gone', at: number, name: string = state) {
      const known = { tenant_id, server_id, name, version: 1, hash: 'h', definition: '{}' }
      const shown = { ...known, findings: '[]', seen_at: at }
      const row = { ...shown, state, pending_version: null, position: 0, created_at: at }
      const version = { ...shown, approved_at: null, approved_by: null }
      await tools.put([{ row, before: undefined }], [version])
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

function aRecord(tenant_id: string, now: number): CallRecord {
  const nobody = { run_id: null, session_id: null, agent_id: null, api_key: null, group_id: null }
  const nothing = { approval_id: null, error: null, args_digest: null, args: null, result: null }
  return {
    ...{ ...nobody, ...nothing, tenant_id, call_id: randomUUID(), user_id: 'ana', source: 'sdk' },
    ...{ trace_id: '4bf9', span_id: '00f0', server_id: 'mall', tool_name: 'order.get' },
    ...{ schema_version: 1, definition_hash: 'h', policy_revision: 1, decided_by: null },
    ...{ input_validation: 'ok', output_validation: 'ok', attempts: 1, status: 'ok' },
    ...{ started_at: now, ended_at: now, duration_ms: 0 },
  }
}
