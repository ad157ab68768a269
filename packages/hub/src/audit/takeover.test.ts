import { appendFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { longCount, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createAudit } from './audit.ts'
import { type ChainPlace, noHash, toLinkedRow } from './chain.ts'
import type { CallRecord } from './contract.ts'
import { toHeadsLine, toRowLine, toStartLine } from './journal-lines.ts'
import { createOwnerName, toReleasedName } from './owner.ts'
import { createMemoryRows } from './test-memory-rows.ts'
import { aRecord } from './test-records.ts'

test('rows and starts of a process that is gone are stored, each once [A5.2]', async () => {
  await using rig = await createRig()
  const [ended, begun] = [aRecord(), aRecord()]
  rig.leave('1', [startOf(ended), rowOf(ended), startOf(begun)])
  await rig.start()
  expect(rig.statuses()).toEqual({ [ended.call_id]: 'ok', [begun.call_id]: 'unknown_outcome' })
  await rig.start()
  expect(rig.rows.log).toHaveLength(2)
})

test('of many processes that start together one takes it over', async () => {
  await using rig = await createRig()
  const begun = Array.from({ length: 20 }, () => aRecord())
  for (const record of begun) rig.leave('1', [startOf(record)], rig.ownerName())
  await Promise.all(Array.from({ length: 8 }, () => rig.start()))
  expect(rig.rows.log).toHaveLength(20)
  expect(new Set(rig.rows.log.map(({ call_id }) => call_id)).size).toBe(20)
})

test('a last line that is torn, and a line that is damaged, cost no other', async () => {
  await using rig = await createRig()
  const [first, second] = [aRecord(), aRecord()]
  const file = rig.leave('1', [startOf(first), 'S{"idempotent":tr\n', '\n', 'X{}\n', 'R[]\n'])
  appendFileSync(file, `${startOf(second)}${startOf(aRecord()).slice(0, 100)}`)
  await rig.start()
  expect(Object.keys(rig.statuses())).toEqual([first.call_id, second.call_id])
})

test('a start whose record lacks something has its row all the same', async () => {
  await using rig = await createRig()
  const begun = { ...aRecord(), span_id: undefined, user_id: undefined }
  rig.leave('1', [startOf(begun as unknown as CallRecord)])
  await rig.start()
  expect(rig.rows.log).toMatchObject([{ call_id: begun.call_id, span_id: '', user_id: null }])
})

test('a start that was carried into the next file is one call', async () => {
  await using rig = await createRig()
  const [carried, ended] = [aRecord(), aRecord()]
  const folder = rig.ownerName()
  rig.leave('1', [startOf(carried), startOf(ended), rowOf(ended)], folder)
  rig.leave('2', [startOf(carried)], folder)
  await rig.start()
  expect(rig.rows.log).toHaveLength(2)
})

test('what a process took over and did not finish is finished, and not done twice', async () => {
  await using rig = await createRig()
  const [done, open, stored] = [aRecord(), aRecord(), aRecord()]
  const folder = rig.ownerName()
  const inner = join(folder, 'taken', rig.ownerName())
  rig.leave('1', [startOf(done), startOf(open), startOf(stored)], inner)
  // It had recorded one of them in its own journal, and one was in the database already.
  rig.leave('1', [rowOf({ ...done, status: 'interrupted' })], folder)
  await rig.rows.append([toLinkedRow(stored, () => ({ ...place, writer: 'gone' })).row])
  await rig.start()
  expect(rig.statuses()).toEqual({
    [done.call_id]: 'interrupted',
    [open.call_id]: 'unknown_outcome',
    [stored.call_id]: 'ok',
  })
  expect(rig.rows.log).toHaveLength(3)
})

test('one process after the other may end early: paths do not grow', async () => {
  await using rig = await createRig()
  const count = longCount(8, 60)
  for (let n = 0; n < count; n += 1) {
    rig.leave('1', [startOf(aRecord())])
    await rig.startInVain()
  }
  expect(readdirSync(rig.dir)).toHaveLength(1)
  const paths = readdirSync(rig.dir, { recursive: true, encoding: 'utf8' })
  expect(Math.max(...paths.map((path) => path.split('/').length))).toBe(4)
  await rig.start()
  expect(rig.rows.log).toHaveLength(count)
})

test('heads that were stored and not anchored are anchored', async () => {
  await using rig = await createRig()
  const { row } = toLinkedRow(aRecord(), () => place)
  await rig.rows.append([row])
  rig.leave('2', [toHeadsLine([row])])
  const audit = await rig.start()
  expect(rig.rows.anchorLog.map(({ writer }) => writer)).toEqual(['*', 'dead'])
  expect(await audit.verify('t')).toMatchObject({ ok: true, rows: 1 })
})

test('a process of another machine is left alone while it gives signs of life', async () => {
  await using rig = await createRig()
  const folder = createOwnerName().replace(/^\w+/, '0123456789abcdef')
  rig.leave('1', [startOf(aRecord())], folder)
  await rig.start()
  expect(rig.rows.log).toEqual([])
  const longAgo = Date.now() / 1_000 - 121
  utimesSync(join(rig.dir, folder), longAgo, longAgo)
  await rig.start()
  expect(rig.rows.log).toHaveLength(1)
})

test('what is not ours in the folder is left alone', async () => {
  await using rig = await createRig()
  mkdirSync(join(rig.dir, 'lost+found'))
  writeFileSync(join(rig.dir, 'README'), 'no journal')
  await rig.start()
  expect(readdirSync(rig.dir).sort()).toEqual(['README', 'lost+found'])
})

test('where the database is away it is done later', async () => {
  await using rig = await createRig()
  rig.leave('1', [startOf(aRecord())])
  rig.rows.isAway = true
  await rig.start()
  expect(readdirSync(rig.dir)).toEqual([expect.stringMatching(/-released$/)])
  rig.rows.isAway = false
  await rig.start()
  expect(rig.rows.log).toHaveLength(1)
  expect(readdirSync(rig.dir)).toEqual([])
})

test('what is under way when a process ends is left to the next one', async () => {
  await using rig = await createRig()
  rig.leave('1', [startOf(aRecord())])
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const query: typeof rig.rows.query = async (asking) => {
    asked.resolve()
    await answer.promise
    return rig.rows.query(asking)
  }
  const audit = createAudit({ rows: { ...rig.rows, query }, dir: rig.dir, writer: 'w', anchorKey })
  await asked.promise
  const closed = audit.close()
  answer.resolve()
  await closed
  expect(rig.rows.log).toEqual([])
  await rig.start()
  expect(rig.rows.log).toHaveLength(1)
})

const anchorKey = 'a key of sixteen bytes or more'
const place: ChainPlace = { writer: 'dead', seq: 1, prev_hash: noHash }

function startOf(record: CallRecord): string {
  return toStartLine({ idempotent: false, record })
}

function rowOf(record: CallRecord): string {
  return toRowLine(toLinkedRow(record, () => place).json)
}

async function createRig() {
  const cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const rows = createMemoryRows()
  const ownerName = () => toReleasedName(createOwnerName())

  async function start() {
    const audit = createAudit({ rows, dir, writer: 'w', anchorKey })
    await audit.flush()
    await audit.close()
    return audit
  }

  return {
    dir,
    rows,
    ownerName,
    /** A file of the journal of a process that is gone. */
    leave(name: string, lines: string[], folder = ownerName()): string {
      mkdirSync(join(dir, folder), { recursive: true })
      const file = join(dir, folder, `${name}.journal`)
      writeFileSync(file, lines.join(''))
      return file
    },
    statuses: () => Object.fromEntries(rows.log.map(({ call_id, status }) => [call_id, status])),
    /** A process that starts, does what it finds, and ends. */
    start,
    /** One that takes over what it finds, and ends before it could store it. */
    async startInVain() {
      rows.isAway = true
      await start()
      rows.isAway = false
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
