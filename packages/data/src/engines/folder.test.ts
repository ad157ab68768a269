import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { temporaryDirectory } from '@dataagent/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import type { Engine } from './contract.ts'
import { openEngine } from './open-engine.ts'
import { readAll } from './test-sources.ts'

interface Folder extends AsyncDisposable {
  path: string
  engine: Engine
}

async function createFolder(files: Record<string, string | Buffer>): Promise<Folder> {
  const { path, ...directory } = await temporaryDirectory()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(path, name, '..'), { recursive: true })
    await writeFile(join(path, name), content)
  }
  const engine = openEngine({ kind: 'files', folder: path })
  return {
    ...{ path, engine },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

async function namesOf({ engine }: Folder): Promise<string[]> {
  return (await engine.describe({})).map(({ name }) => name).toSorted()
}

test('files of every format are tables, named after them', async () => {
  await using folder = await createFolder({
    'orders.csv': 'id,region\n1,North\n2,South\n',
    'tabs.tsv': 'a\tb\n1\t2\n',
    'people.json': '[{"name":"x","tags":["a"]}]',
    'events.ndjson': '{"n":1}\n{"n":2}\n',
    'lines.jsonl': '{"n":3}\n',
    'packed.csv.gz': gzipSync('a\n5\n'),
    'notes.txt': 'no table',
    '.hidden.csv': 'a\n1\n',
  })
  await writeParquet(join(folder.path, 'sums.parquet'))
  expect(await namesOf(folder)).toEqual([
    'events',
    'lines',
    'orders',
    'packed',
    'people',
    'sums',
    'tabs',
  ])
  const counts = await readAll(
    folder.engine,
    'SELECT (SELECT count(*) FROM orders), (SELECT sum(a + b) FROM tabs), (SELECT name FROM people), (SELECT sum(n) FROM events), (SELECT n FROM lines), (SELECT a FROM packed), (SELECT sum(s) FROM sums)',
  )
  expect(counts).toEqual([[2, 3, 'x', 3, 3, 5, 10]])
  const tables = await folder.engine.describe({ tables: ['sums'] })
  expect(tables).toMatchObject([{ row_count: 5, description: 'sums.parquet' }])
})

test('names are clean, unique and need no quotes', async () => {
  await using folder = await createFolder({
    'Sales Report (2024).csv': 'a\n1\n',
    '2024.csv': 'a\n2\n',
    'order.csv': 'a\n3\n',
    '销售 额.csv': 'a\n4\n',
    'a[1]*?\'".csv': 'a\n5\n',
    'twice.csv': 'a\n6\n',
    'twice.json': '[{"a":7}]',
    'sub/twice.csv': 'a\n8\n',
    'sub/deep/lone.csv': 'a\n9\n',
  })
  const names = await namesOf(folder)
  expect(names).toEqual(
    [
      'Sales_Report_2024',
      'a_1',
      'lone',
      'order_',
      'sub_twice',
      't_2024',
      'twice_csv',
      'twice_json',
      '销售_额',
    ].toSorted(),
  )
  const sums = await readAll(
    folder.engine,
    names.map((name) => `SELECT a FROM ${name}`).join(' UNION ALL '),
  )
  expect(sums.flat().toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a file may be named by its path in the folder', async () => {
  await using folder = await createFolder({ 'sub/orders.csv': 'a\n1\n' })
  expect(await readAll(folder.engine, "SELECT * FROM 'sub/orders.csv'")).toEqual([[1]])
})

test('new, changed and removed files are seen', async () => {
  await using folder = await createFolder({ 'a.csv': 'x\n1\n' })
  expect(await readAll(folder.engine, 'FROM a')).toEqual([[1]])
  await writeFile(join(folder.path, 'b.csv'), 'y\n2\n')
  expect(await readAll(folder.engine, 'FROM b')).toEqual([[2]])
  await writeFile(join(folder.path, 'a.csv'), 'x,z\n3,4\n')
  await utimes(join(folder.path, 'a.csv'), 1, 1)
  expect(await readAll(folder.engine, 'FROM a')).toEqual([[3, 4]])
  await rm(join(folder.path, 'a.csv'))
  await expect(readAll(folder.engine, 'FROM a')).rejects.toThrow(
    'There is no table a. There are: b.',
  )
})

test('Chinese text that is not Unicode is read, and so is UTF-16', async () => {
  await using folder = await createFolder({
    'gbk.csv': Buffer.from('b5d8c7f82cb6ee0abbaab6ab2c310a', 'hex'),
    'wide.csv': Buffer.from('\ufeff地区,额\n华东,2\n', 'utf16le'),
    'bom.csv': '\ufeff地区,额\n华北,3\n',
  })
  for (const [name, row] of [
    ['gbk', ['华东', 1]],
    ['wide', ['华东', 2]],
    ['bom', ['华北', 3]],
  ] as const) {
    expect(await readAll(folder.engine, `SELECT "地区", "额" FROM ${name}`)).toEqual([row])
  }
})

test('a file that cannot be read is said so, and does not keep others from being read', async () => {
  await using folder = await createFolder({
    'bad.parquet': 'nothing',
    'worse.xlsx': 'nothing',
    'good.csv': 'a\n1\n',
  })
  const tables = await folder.engine.describe({})
  const unread = tables.filter(({ description }) => description?.includes('cannot be read'))
  expect(unread.map(({ name, columns }) => [name, columns])).toEqual([
    ['bad', []],
    ['worse', []],
  ])
  expect(await readAll(folder.engine, 'FROM good')).toEqual([[1]])
  const told = await readAll(folder.engine, 'FROM bad').catch((error) => error)
  expect(told.message).not.toContain(folder.path)
})

test('a folder of a thousand files opens quickly', async () => {
  const files = Array.from({ length: 1_000 }, (_, at) => [`f${at}.csv`, `a\n${at}\n`] as const)
  await using folder = await createFolder(Object.fromEntries(files))
  await readAll(folder.engine, 'SELECT 1')
  const began = performance.now()
  expect(await readAll(folder.engine, 'FROM f777')).toEqual([[777]])
  expect(performance.now() - began).toBeLessThan(2_000)
})

async function writeParquet(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT range::INTEGER AS s FROM range(5)) TO '${path}'`)
  connection.closeSync()
  instance.closeSync()
}
