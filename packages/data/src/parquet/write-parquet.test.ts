import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ColumnKind, DataColumn, DataRow, DataValue } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openEngine } from '../engines/index.ts'
import { writeParquet } from './write-parquet.ts'

async function* batchesOf(...batches: DataRow[][]) {
  yield* batches
}

async function readBack(columns: DataColumn[], ...batches: DataRow[][]) {
  await using folder = await temporaryDirectory()
  const written = await Array.fromAsync(writeParquet({ columns, batches: batchesOf(...batches) }))
  await writeFile(join(folder.path, 'result.parquet'), Buffer.concat(written))
  await using engine = openEngine({ kind: 'files', folder: folder.path })
  const query = await engine.query('SELECT * FROM result', { timeoutMs: 20_000 })
  return {
    columns: query.columns,
    rows: (await Array.fromAsync(query.batches)).flat() as DataRow[],
  }
}

function column(kind: ColumnKind, name = kind as string): DataColumn {
  return { name, type: kind, kind }
}

test.each<[ColumnKind, DataValue[], string]>([
  ['integer', [1, null, -7], 'BIGINT'],
  ['integer', [9007199254740993n.toString(), 1], 'BIGINT'],
  ['integer', ['18446744073709551615', 0], 'UBIGINT'],
  ['integer', ['-170141183460469231731687303715884105728', 0], 'VARCHAR'],
  ['integer', ['99999999999999999999999999999999999999', '1'], 'DECIMAL(38,0)'],
  ['integer', [1.5, 2], 'VARCHAR'],
  ['decimal', ['12.30', '-0.05', null], 'DECIMAL(18,2)'],
  ['decimal', ['123456789012345678901.50', '0.25'], 'DECIMAL(38,2)'],
  ['decimal', ['NaN', '1.0'], 'VARCHAR'],
  ['float', [0.1, 'NaN', '-Infinity', 1e300], 'DOUBLE'],
  ['boolean', [true, false, null], 'BOOLEAN'],
  ['date', ['2026-02-28', null], 'DATE'],
  ['date', ['2026-02-28', 'long ago'], 'VARCHAR'],
  ['time', ['23:59:59.25', null], 'TIME'],
  ['timestamp', ['2026-02-28T10:00:00.123456', null], 'TIMESTAMP'],
  ['timestamp', ['2026-02-28T10:00:00.5Z', null], 'TIMESTAMP WITH TIME ZONE'],
  ['timestamp', ['2026-02-28T10:00:00.123456789', null], 'VARCHAR'],
  ['bytes', ['00ff', '', null], 'BLOB'],
  ['text', ['', 'ü 数据 🚀 \u2028 "x"\n', null], 'VARCHAR'],
  ['json', ['{"a":[1]}', null], 'VARCHAR'],
  ['integer', [null, null], 'BIGINT'],
])('%s %j is kept as %s', async (kind, values, type) => {
  const given = await readBack(
    [column(kind)],
    values.map((value) => [value]),
  )
  expect(given.columns[0]!.type).toBe(type)
  const expected = values.map((value) => (type === 'VARCHAR' ? asText(value) : value))
  expect(given.rows.map(([value]) => asText(value!))).toEqual(expected.map(asText))
})

test('columns of one name, or none, have names of their own', async () => {
  const columns = [column('text', 'id'), column('text', 'ID'), column('text', '')]
  const given = await readBack(columns, [['a', 'b', 'c']])
  expect(given.columns.map(({ name }) => name)).toEqual(['id', 'ID_2', 'column3'])
  expect(given.rows).toEqual([['a', 'b', 'c']])
})

test('a result without rows has its columns', async () => {
  const given = await readBack([column('integer', 'n'), column('text', 'Ä "x"')])
  expect(given.columns.map(({ name }) => name)).toEqual(['n', 'Ä "x"'])
  expect(given.rows).toEqual([])
})

test('many batches come in order', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i): DataRow => [i, 'x'.repeat(100)])
  const batches = [rows.slice(0, 500), [], rows.slice(500)]
  const given = await readBack([column('integer', 'n'), column('text', 't')], ...batches)
  expect(given.rows).toEqual(rows)
})

test('an abort ends the process and leaves no folder', async () => {
  const before = await ownFolders()
  const stop = new AbortController()
  async function* batches() {
    yield [[1]]
    stop.abort()
    yield [[2]]
  }
  const { signal } = stop
  const written = writeParquet({ columns: [column('integer')], batches: batches() }, { signal })
  await expect(Array.fromAsync(written)).rejects.toMatchObject({ code: 'cancelled' })
  expect(await ownFolders()).toEqual(before)
})

test('what the rows fail with is told, and leaves no folder', async () => {
  const before = await ownFolders()
  async function* batches(): AsyncGenerator<DataRow[]> {
    yield [[1]]
    throw new Error('gone')
  }
  const written = writeParquet({ columns: [column('integer')], batches: batches() })
  await expect(Array.fromAsync(written)).rejects.toThrow('gone')
  expect(await ownFolders()).toEqual(before)
})

async function ownFolders() {
  return (await readdir(tmpdir()))
    .filter((name) => name.startsWith('dataagent-parquet-'))
    .toSorted()
}

function asText(value: DataValue): string {
  return value === null ? 'null' : String(value)
}
