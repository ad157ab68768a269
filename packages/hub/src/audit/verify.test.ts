import { randomUUID } from 'node:crypto'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { isGenuine } from './anchors.ts'
import { createAudit } from './audit.ts'
import { toRowHash } from './chain.ts'
import type { AnchorRow, CallLogRow, CallLogRows } from './contract.ts'
import { createMemoryRows } from './test-memory-rows.ts'
import { aRecord } from './test-records.ts'

const key = 'a key of sixteen bytes or more'

test('nothing changed, nothing found', async () => {
  await using rig = await createRig()
  expect(await rig.verify()).toEqual({ ok: true, rows: 12, writers: 2, faults: [] })
})

test('a tenant without calls has nothing to find', async () => {
  await using rig = await createRig()
  expect(await rig.verify('none')).toEqual({ ok: true, rows: 0, writers: 0, faults: [] })
})

test('a row that was edited is named [T62]', async () => {
  await using rig = await createRig()
  rig.edit(2, { status: 'denied' })
  const what = 'the row was changed after it was written'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 3, what }])
})

test('a row that was edited and hashed again is named by the next one', async () => {
  await using rig = await createRig()
  rig.edit(2, { status: 'denied' })
  rig.edit(2, { hash: toRowHash(rig.rows.log[2]!) })
  const what = 'the row does not follow from the one before'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 4, what }])
})

test('a chain that was written anew does not meet its anchor', async () => {
  await using rig = await createRig()
  rig.edit(2, { status: 'denied' })
  rig.rehash(2)
  const what = 'the row is not the one that was anchored'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 6, what }])
})

test('an anchor made without the key is named', async () => {
  await using rig = await createRig()
  rig.edit(2, { status: 'denied' })
  rig.rehash(2)
  const anchor = rig.anchorOf(rig.first)
  anchor.hash = anchor.hash.replace(/^\w+/, rig.rows.log[5]!.hash)
  const what = 'the anchor was not made with our key'
  expect(await rig.faults()).toContainEqual({ writer: rig.first, seq: 6, what })
})

test('a row that was deleted is named [T62]', async () => {
  await using rig = await createRig()
  rig.rows.log.splice(2, 1)
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 3, what: 'row 3 is missing' }])
})

test('the newest rows before an anchor cannot be deleted', async () => {
  await using rig = await createRig()
  rig.rows.log.splice(4, 2)
  const what = 'rows 5 to 6 are missing'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 5, what }])
})

test('the first rows cannot be deleted', async () => {
  await using rig = await createRig()
  rig.rows.log.splice(0, 2)
  const what = 'rows 1 to 2 are missing'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 1, what }])
})

test('a whole writer cannot be deleted, nor with its anchors', async () => {
  await using rig = await createRig()
  rig.rows.log.splice(0, 6)
  const what = 'rows 1 to 6 are missing'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 1, what }])
  rig.drop(({ writer }) => writer === rig.first)
  const all = 'all rows of the writer are missing'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 1, what: all }])
})

test('nor with its entry in the register', async () => {
  await using rig = await createRig()
  rig.rows.log.splice(0, 6)
  rig.drop(({ writer, hash }) => writer === rig.first || hash.endsWith(rig.first))
  const missing = { writer: '*', seq: 1, what: 'row 1 is missing' }
  expect(await rig.faults()).toContainEqual(missing)
})

test('the end of the register cannot be cut where a later anchor has seen it', async () => {
  await using rig = await createRig()
  rig.rows.log.splice(0, 6)
  rig.drop(({ writer }) => writer === rig.first || writer === '*')
  const found = await rig.faults()
  const what = 'entries at the end of the register of writers are missing'
  expect(found).toContainEqual({ writer: '*', seq: 1, what })
  const unknown = 'the writer is not in the register of writers'
  expect(found).toContainEqual({ writer: rig.second, seq: 0, what: unknown })
})

test('a row that was inserted is named', async () => {
  await using rig = await createRig()
  const last = rig.rows.log[5]!
  const forged = { ...last, seq: 7, prev_hash: last.hash, call_id: randomUUID() }
  rig.rows.log.push({ ...forged, hash: toRowHash(forged) })
  const what = 'the row has no anchor behind it'
  expect(await rig.faults()).toEqual([{ writer: rig.first, seq: 7, what }])
})

test('a writer that was made up is named', async () => {
  await using rig = await createRig()
  const forged = { ...rig.rows.log[0]!, writer: 'forged' }
  rig.rows.log.push({ ...forged, hash: toRowHash(forged) })
  const what = 'the row has no anchor behind it'
  expect(await rig.faults()).toEqual([{ writer: 'forged', seq: 1, what }])
})

test('rows that changed places are named', async () => {
  await using rig = await createRig()
  const [a, b] = [rig.rows.log[1]!, rig.rows.log[2]!]
  rig.rows.log[1] = { ...b, seq: a.seq }
  rig.rows.log[2] = { ...a, seq: b.seq }
  expect((await rig.faults()).map(({ seq }) => seq)).toEqual([2, 2, 3, 3, 4])
})

test('an anchor is genuine under its own key alone', async () => {
  await using rig = await createRig()
  const anchor = rig.anchorOf(rig.first)
  expect(isGenuine(anchor, key)).toBe(true)
  expect(isGenuine(anchor, `${key}!`)).toBe(false)
  expect(isGenuine({ ...anchor, seq: 7 }, key)).toBe(false)
})

test('where everything is wrong the list of faults has an end', async () => {
  await using rig = await createRig(150)
  for (const at of rig.rows.log.keys()) rig.edit(at, { status: 'denied' })
  expect(await rig.faults()).toHaveLength(100)
})

await describeSql('a chain', (subject) => {
  test('of more than a page verifies, and an edit by hand is found [A5.2]', async () => {
    await using directory = await temporaryDirectory()
    const rows = subject().store.hub.calls
    const tenant_id = randomUUID()
    await write(rows, directory.path, { tenant_id, count: 1_200 })
    await using audit = open(rows, directory.path)
    expect(await audit.verify(tenant_id)).toMatchObject({ ok: true, rows: 1_200 })
    const changed = withChange(rows, (row) => (row.seq === 1_100 ? { ...row, user_id: 'x' } : row))
    await using suspicious = open(changed, directory.path)
    expect((await suspicious.verify(tenant_id)).faults).toMatchObject([{ seq: 1_100 }])
  })
})

/** Two writers of one tenant, one after the other, closed and anchored. */
async function createRig(count = 6) {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const rows = createMemoryRows()
  await write(rows, path, { tenant_id: 't', count })
  await write(rows, path, { tenant_id: 't', count })
  const verify = async (tenant_id = 't') => {
    await using audit = open(rows, path)
    return audit.verify(tenant_id)
  }
  return {
    rows,
    first: rows.log[0]!.writer,
    second: rows.log.at(-1)!.writer,
    verify,
    faults: async () => (await verify()).faults,
    edit(at: number, fields: Partial<CallLogRow>) {
      rows.log[at] = { ...rows.log[at]!, ...fields }
    },
    /** What one does who can write the database alone. */
    rehash(from: number) {
      for (let at = from; at < count; at += 1) {
        const row = { ...rows.log[at]!, prev_hash: rows.log[at - 1]!.hash }
        rows.log[at] = { ...row, hash: toRowHash(row) }
      }
    },
    anchorOf: (name: string) => rows.anchorLog.find(({ writer }) => writer === name)!,
    drop(isDropped: (anchor: AnchorRow) => boolean) {
      rows.anchorLog = rows.anchorLog.filter((anchor) => !isDropped(anchor))
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

function open(rows: CallLogRows, dir: string) {
  return createAudit({ rows, dir, writer: 'w', anchorKey: key })
}

async function write(
  rows: CallLogRows,
  dir: string,
  { tenant_id, count }: { tenant_id: string; count: number },
): Promise<void> {
  await using audit = open(rows, dir)
  for (let n = 0; n < count; n += 1) audit.record(aRecord({ tenant_id }))
  await audit.flush()
}

function withChange(rows: CallLogRows, change: (row: CallLogRow) => CallLogRow): CallLogRows {
  const chain: CallLogRows['chain'] = async (...args) => (await rows.chain(...args)).map(change)
  return { ...rows, chain }
}
