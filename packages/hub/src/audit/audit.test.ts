import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  createCanary,
  createFakeClock,
  expectNoCanary,
  mountSmallDisk,
  temporaryDirectory,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type AuditOptions, createAudit } from './audit.ts'
import type { CallLogQuery } from './contract.ts'
import { createMemoryRows } from './test-memory-rows.ts'
import { aRecord, aStart } from './test-records.ts'

const anchorKey = 'a key of sixteen bytes or more'

test('a call is stored with every field as it was recorded, in a chain that verifies [A5.1]', async () => {
  await using rig = await createRig()
  const records = [aRecord(), aRecord({ status: 'denied', server_id: null }), aRecord()]
  for (const record of records) {
    await rig.audit.begin(aStart(record))
    rig.audit.record(record)
  }
  await rig.audit.flush()
  expect(rig.rows.log).toMatchObject(records)
  expect(rig.rows.log.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(await rig.audit.verify('t')).toEqual({ ok: true, rows: 3, writers: 1, faults: [] })
})

test('each tenant has a chain of its own', async () => {
  await using rig = await createRig()
  for (const tenant_id of ['a', 'b', 'a']) rig.audit.record(aRecord({ tenant_id }))
  await rig.audit.flush()
  expect(rig.rows.log.map(({ tenant_id, seq }) => [tenant_id, seq])).toEqual([
    ['a', 1],
    ['b', 1],
    ['a', 2],
  ])
})

test('a tenant whose calls were all deleted begins a chain anew, and nothing of the old one comes back', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock })
  const record = async (tenant_id: string) => {
    rig.audit.record(aRecord({ tenant_id, ended_at: clock.now() }))
    await clock.advanceAsync(200)
  }
  const anchored = () => rig.rows.anchorLog.map(({ tenant_id, seq }) => `${tenant_id} ${seq}`)
  for (const tenant_id of ['gone', 'kept']) await record(tenant_id)
  await clock.advanceAsync(60_000)
  for (const tenant_id of ['gone', 'kept']) await record(tenant_id)
  rig.rows.drop('gone')
  await rig.audit.forget('gone')
  await clock.advanceAsync(60_000)
  expect(anchored().filter((one) => one.startsWith('gone'))).toEqual([])
  await record('gone')
  await clock.advanceAsync(60_000)
  expect(await rig.audit.verify('gone')).toEqual({ ok: true, rows: 1, writers: 1, faults: [] })
  expect(await rig.audit.verify('kept')).toEqual({ ok: true, rows: 2, writers: 1, faults: [] })
})

test('rows are stored after 200 ms together, and at once when there are many', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock, batch: 10 })
  for (let n = 0; n < 9; n += 1) rig.audit.record(aRecord())
  await clock.advanceAsync(199)
  expect(rig.rows.log).toHaveLength(0)
  await clock.advanceAsync(1)
  expect(rig.rows.log).toHaveLength(9)
  for (let n = 0; n < 10; n += 1) rig.audit.record(aRecord())
  await clock.advanceAsync(0)
  expect(rig.rows.log).toHaveLength(19)
  expect(rig.rows.appends).toBe(2)
})

test('while the database is away calls go on, and all of them are stored when it is back [F14]', async () => {
  await using rig = await createRig({ batch: 50, memoryRows: 100, segmentBytes: 20_000 })
  rig.rows.isAway = true
  const records = Array.from({ length: 1_000 }, () => aRecord({ ended_at: Date.now() }))
  for (const [at, record] of records.entries()) {
    await rig.audit.begin(aStart(record))
    rig.audit.record(record)
    if (at % 30 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(rig.audit.waiting).toBe(1_000)
  rig.rows.isAway = false
  await rig.audit.flush()
  expect(rig.rows.log.map(({ call_id }) => call_id)).toEqual(records.map(({ call_id }) => call_id))
  expect(rig.audit.waiting).toBe(0)
  expect(await rig.audit.verify('t')).toMatchObject({ ok: true, rows: 1_000 })
  const [folder = ''] = readdirSync(rig.dir)
  expect(readdirSync(join(rig.dir, folder))).toHaveLength(1)
})

test('the first call of a turn is in the journal at once, the others of it together', async () => {
  await using rig = await createRig()
  const records = [aRecord(), aRecord(), aRecord()]
  const text = () => {
    const [folder = ''] = readdirSync(rig.dir)
    const [file = ''] = readdirSync(join(rig.dir, folder))
    return readFileSync(join(rig.dir, folder, file), 'utf8')
  }
  const [, second] = records.map((record) => rig.audit.begin(aStart(record)))
  expect(records.map(({ call_id }) => text().includes(call_id))).toEqual([true, false, false])
  await second
  for (const { call_id } of records) expect(text()).toContain(call_id)
})

test('the journal is for its owner alone, and goes when all is stored', async () => {
  await using rig = await createRig()
  const record = aRecord()
  await rig.audit.begin(aStart(record))
  const [folder = ''] = readdirSync(rig.dir)
  const [file = ''] = readdirSync(join(rig.dir, folder))
  expect(statSync(join(rig.dir, folder)).mode & 0o777).toBe(0o700)
  expect(statSync(join(rig.dir, folder, file)).mode & 0o777).toBe(0o600)
  rig.audit.record(record)
  await rig.audit.close()
  expect(readdirSync(rig.dir)).toEqual([])
})

test('what could not be stored before the end is stored by the next start, once', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock })
  rig.rows.isAway = true
  const [idempotent, other, ended] = [aRecord(), aRecord(), aRecord()]
  await rig.audit.begin(aStart(idempotent, true))
  await rig.audit.begin(aStart(other, false))
  await rig.audit.begin(aStart(ended))
  rig.audit.record(ended)
  const closing = rig.audit.close()
  await clock.advanceAsync(60_000)
  await closing
  rig.rows.isAway = false
  await using next = rig.open()
  await using another = rig.open()
  await Promise.all([next.flush(), another.flush()])
  const rows = new Map(rig.rows.log.map((row) => [row.call_id, row]))
  expect(rig.rows.log).toHaveLength(3)
  expect(rows.get(ended.call_id)).toMatchObject(ended)
  expect(rows.get(idempotent.call_id)).toMatchObject({
    status: 'interrupted',
    ended_at: clock.now(),
    duration_ms: clock.now() - idempotent.started_at,
    error: expect.stringContaining('the server stopped while the tool ran'),
  })
  expect(rows.get(other.call_id)).toMatchObject({
    status: 'unknown_outcome',
    error: expect.stringContaining('"code":"unknown_outcome"'),
  })
  expect(await next.verify('t')).toMatchObject({ ok: true, rows: 3 })
})

test('a user sees their own calls, an administrator those of the tenant', async () => {
  await using rig = await createRig()
  rig.audit.record(aRecord({ user_id: 'ana' }))
  rig.audit.record(aRecord({ user_id: 'ben' }))
  rig.audit.record(aRecord({ user_id: 'ana', tenant_id: 'other' }))
  await rig.audit.flush()
  const page = { limit: 10, offset: 0 }
  const see = async (
    role: 'user' | 'admin' | 'platform_admin',
    user_id: string | null,
    more = {},
  ) => {
    const found = await rig.audit.query({ tenant_id: 't', user_id, role }, { ...page, ...more })
    return found.map((record) => record.user_id)
  }
  expect(await see('user', 'ana')).toEqual(['ana'])
  expect(await see('user', 'ana', { user_id: 'ben' })).toEqual([])
  expect(await see('user', 'ana', { tenant_id: 'other', user_id: undefined })).toEqual(['ana'])
  expect(await see('user', null)).toEqual([])
  expect(await see('admin', 'root')).toEqual(['ana', 'ben'])
  expect(await see('admin', 'root', { user_id: 'ben' })).toEqual(['ben'])
  expect(await see('platform_admin', null)).toEqual(['ana', 'ben'])
})

test("a user's own log tells a tool that is not theirs from none in no field [A2.3]", async () => {
  await using rig = await createRig()
  const refusal = { code: 'tool_not_allowed', message: 'There is none.', advice: 'degrade' }
  const error = JSON.stringify({ ...refusal, tool_name: 'mall.pay' })
  const denied = { ...aRecord(), status: 'denied' as const, error }
  const unresolved = { server_id: null, schema_version: null, definition_hash: null }
  const told = { ...denied, ...unresolved, decided_by: null, tool_name: 'mall.pay' }
  const others = aRecord({ ...denied, tool_name: 'pay', decided_by: '{"kind":"not_bound"}' })
  const none = aRecord({ ...told, decided_by: '{"kind":"not_visible"}' })
  const own = aRecord({ tool_name: 'pay', status: 'denied', error: '{"code":"approval_required"}' })
  for (const record of [others, none, own]) rig.audit.record(record)
  await rig.audit.flush()
  const see = (role: 'user' | 'admin', more: Partial<CallLogQuery> = {}) => {
    const query = { ...more, limit: 10, offset: 0 }
    return rig.audit.query({ tenant_id: 't', user_id: 'ana', role }, query)
  }
  expect(await see('user')).toEqual([told, told, own])
  expect(await see('user', { server_id: 'mall4j' })).toEqual([own])
  expect(await see('user', { tool_name: 'pay' })).toEqual([own])
  expect(await see('user', { tool_name: 'mall.pay' })).toEqual([told, told])
  expect(await see('user', { server_id: 'mall4j', as_told: false })).toEqual([own])
  expect(await see('admin')).toEqual([others, none, own])
  expect(await see('admin', { tool_name: 'pay' })).toEqual([others, own])
})

test('a record comes out as it went in, without the marks of the chain', async () => {
  await using rig = await createRig()
  const canary = createCanary()
  const record = aRecord({ args: JSON.stringify({ note: canary.apiKey }) })
  rig.audit.record(record)
  await rig.audit.flush()
  const by = { tenant_id: 't', user_id: 'ana', role: 'user' as const }
  expect(await rig.audit.query(by, { limit: 10, offset: 0 })).toEqual([record])
})

test('nothing but the record is written: no key, nothing of the rest of the start [A5.3]', async () => {
  const canary = createCanary()
  await using rig = await createRig({ anchorKey: canary.apiKey })
  const record = aRecord()
  await rig.audit.begin({ ...aStart(record), ...{ secret: canary.password } })
  rig.audit.record(aRecord())
  await rig.audit.flush()
  const kept = { rows: rig.rows.log, anchors: rig.rows.anchorLog }
  await expectNoCanary([canary], [{ name: 'rows', object: kept }, { directory: rig.dir }])
})

test('on a full disk no call begins, and what has ended is stored all the same [F20]', async ({
  skip,
}) => {
  await using disk = await mountSmallDisk({ bytes: 64 * 1024 })
  if (!disk) return skip('no small disk can be mounted here')
  const rows = createMemoryRows()
  await using audit = createAudit({ rows, dir: join(disk.path, 'a'), writer: 'w', anchorKey })
  rows.isAway = true
  const begun: string[] = []
  const beginMany = async () => {
    for (let n = 0; n < 500; n += 1) {
      const record = aRecord()
      await audit.begin(aStart(record))
      begun.push(record.call_id)
    }
  }
  await expect(beginMany()).rejects.toThrow(expect.objectContaining({ code: 'storage_full' }))
  for (const call_id of begun) audit.record(aRecord({ call_id }))
  await new Promise((resolve) => setImmediate(resolve))
  expect(audit.waiting).toBe(begun.length)
  rows.isAway = false
  await audit.flush()
  expect(rows.log).toHaveLength(begun.length)
  disk.grow(1024 * 1024)
  await audit.begin(aStart(aRecord()))
  expect(await audit.verify('t')).toMatchObject({ ok: true })
})

test('the rest of a line that was cut off does not spoil the next one', async () => {
  await using rig = await createRig()
  const record = aRecord()
  await rig.audit.begin(aStart(record))
  const [folder = ''] = readdirSync(rig.dir)
  const [file = ''] = readdirSync(join(rig.dir, folder))
  const text = readFileSync(join(rig.dir, folder, file), 'utf8')
  expect(text.split('\n').map((line) => line[0])).toEqual(['H', 'S', undefined])
})

test('where somebody removes the journal it is made again, and what waits is not held up', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock, memoryRows: 2, batch: 2 })
  // The first look for journals of others is over: the next one is not left out for it.
  await rig.audit.flush()
  const underWay = aRecord()
  await rig.audit.begin(aStart(underWay))
  rig.rows.isAway = true
  for (let n = 0; n < 3; n += 1) {
    rig.audit.record(aRecord())
    await clock.advanceAsync(0)
  }
  const [folder = ''] = readdirSync(rig.dir)
  rmSync(join(rig.dir, folder), { recursive: true })
  await clock.advanceAsync(15_000)
  const [file = ''] = readdirSync(join(rig.dir, folder))
  expect(readFileSync(join(rig.dir, folder, file), 'utf8')).toContain(underWay.call_id)
  rig.rows.isAway = false
  rig.audit.record(underWay)
  await rig.audit.flush()
  expect(rig.audit.waiting).toBe(0)
  expect(rig.rows.log.at(-1)).toMatchObject(underWay)
})

test('heads are anchored every minute, and nothing is where nothing changed', async () => {
  const clock = createFakeClock()
  await using rig = await createRig({ clock })
  rig.audit.record(aRecord({ ended_at: clock.now() }))
  await clock.advanceAsync(59_999)
  expect(rig.rows.anchorLog).toEqual([])
  await clock.advanceAsync(1)
  await waitFor(() => rig.rows.anchorLog.length === 2)
  await clock.advanceAsync(180_000)
  expect(rig.rows.anchorLog.map(({ writer, seq }) => [writer === '*', seq])).toEqual([
    [true, 1],
    [false, 1],
  ])
})

test.each([
  [{ writer: 'a b' }, 'writer'],
  [{ anchorKey: 'short' }, 'key'],
])('options that will not do are refused: %o', async (bad, named) => {
  await using directory = await temporaryDirectory()
  const options = { rows: createMemoryRows(), dir: directory.path, writer: 'w', anchorKey, ...bad }
  expect(() => createAudit(options)).toThrow(named)
})

test('a folder that cannot be made is said at once', async () => {
  const dir = join(import.meta.filename, 'none')
  const options = { rows: createMemoryRows(), dir, writer: 'w', anchorKey }
  expect(() => createAudit(options)).toThrow(expect.objectContaining({ code: 'internal' }))
})

async function createRig(options: Partial<AuditOptions> = {}) {
  const cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const rows = createMemoryRows()
  const open = () => createAudit({ rows, dir, writer: 'w', anchorKey, ...options })
  const audit = open()
  return {
    rows,
    dir,
    open,
    audit,
    async [Symbol.asyncDispose]() {
      if (!options.clock) await audit.close()
      await cleanup.disposeAsync()
    },
  }
}
