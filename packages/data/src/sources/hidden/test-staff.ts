import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecret, type SourceKind } from '@dataagent/schema'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import type { EngineSource } from '../../engines/index.ts'
import type { SourceNotes } from '../../ports.ts'

/** A value that is in hidden places alone. */
export const secretValue = 918_273_645

/**
 * `people` with a hidden column `salary`, the hidden table `vault`, `offices` with nothing hidden,
 * the view `everyone` of all of people, and `means` that gives averages.
 */
export const staffNotes: SourceNotes = {
  tables: {
    people: {
      description: 'Who works here',
      columns: { Salary: { hidden: true }, name: { description: 'As on the badge' } },
    },
    VAULT: { hidden: true },
  },
}

export interface TestStaff extends AsyncDisposable {
  source: EngineSource
}

/** The kinds that can be tried here. */
export async function findKinds(): Promise<SourceKind[]> {
  const found: SourceKind[] = ['files', 'duckdb', 'sqlite']
  for (const kind of ['mysql', 'postgres'] as const) if (await findService(kind)) found.push(kind)
  return found
}

export async function createStaff(kind: SourceKind): Promise<TestStaff> {
  await using cleanup = new AsyncDisposableStack()
  const source = await makers[kind](cleanup)
  const kept = cleanup.move()
  return { source, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const people = `(1, 'Ana', 'north', ${secretValue}), (2, 'Bo', 'south', ${secretValue})`
const tables = [
  'CREATE TABLE people (id INT, name VARCHAR(20), office VARCHAR(20), salary INT)',
  `INSERT INTO people VALUES ${people}`,
  'CREATE TABLE vault (id INT, code INT)',
  `INSERT INTO vault VALUES (1, ${secretValue})`,
  'CREATE TABLE offices (office VARCHAR(20), vault VARCHAR(20))',
  "INSERT INTO offices VALUES ('north', 'old'), ('south', 'new')",
  'CREATE VIEW everyone AS SELECT * FROM people',
  'CREATE VIEW means AS SELECT office, count(salary) AS counted FROM people GROUP BY office',
]
const more: Readonly<Record<'mysql' | 'postgres' | 'duckdb', readonly string[]>> = {
  duckdb: [
    'CREATE SCHEMA hr',
    `CREATE TABLE hr.people AS SELECT id, name, 'x' AS office, salary FROM people`,
    'CREATE MACRO everybody() AS TABLE SELECT * FROM people',
    'CREATE MACRO hr.those(part) AS TABLE SELECT * FROM hr.people WHERE office = part',
    'CREATE MACRO pay_of(one) AS (SELECT salary FROM people WHERE id = one)',
    'CREATE MACRO upper(text) AS (SELECT max(salary) FROM people)',
  ],
  mysql: [
    'CREATE TABLE `1st` (id INT, salary INT)',
    `INSERT INTO \`1st\` VALUES (1, ${secretValue})`,
    'CREATE TABLE `2024` AS SELECT * FROM `1st`',
  ],
  postgres: [
    'CREATE SCHEMA hr',
    'CREATE TABLE hr.people AS SELECT id, name FROM people',
    'CREATE TABLE hr.pay AS SELECT id, salary FROM people',
    'CREATE TABLE grades (id int, salary int) PARTITION BY RANGE (id)',
    'CREATE TABLE grades_low PARTITION OF grades FOR VALUES FROM (0) TO (10)',
    `INSERT INTO grades VALUES (1, ${secretValue})`,
    `CREATE TABLE ${'l'.repeat(63)} (id int, salary int)`,
    `INSERT INTO ${'l'.repeat(63)} VALUES (1, ${secretValue})`,
    'CREATE FUNCTION everybody() RETURNS SETOF people LANGUAGE sql AS $$SELECT * FROM people$$',
    'ANALYZE',
  ],
}

const makers: Readonly<
  Record<SourceKind, (cleanup: AsyncDisposableStack) => Promise<EngineSource>>
> = {
  async files(cleanup) {
    const { path: folder } = cleanup.use(await temporaryDirectory())
    const lines = [1, 2].map((id) => `${id},${id === 1 ? 'Ana,north' : 'Bo,south'},${secretValue}`)
    await writeFile(join(folder, 'people.csv'), ['id,name,office,salary', ...lines, ''].join('\n'))
    await writeFile(join(folder, 'vault.ndjson'), `{"id":1,"code":${secretValue}}\n`)
    await writeFile(join(folder, 'offices.csv'), 'office,vault\nnorth,old\nsouth,new\n')
    return { kind: 'files', folder }
  },
  async duckdb(cleanup) {
    const { path } = cleanup.use(await temporaryDirectory())
    const file = join(path, 'staff.duckdb')
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(file)
    const connection = await instance.connect()
    for (const sql of [...tables, ...more.duckdb]) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
    return { kind: 'duckdb', path: file }
  },
  async sqlite(cleanup) {
    const { path } = cleanup.use(await temporaryDirectory())
    const file = join(path, 'staff.sqlite')
    using database = new DatabaseSync(file)
    database.exec(tables.join(';'))
    return { kind: 'sqlite', path: file }
  },
  async mysql(cleanup) {
    const database = cleanup.use(await createDatabase('mysql'))
    for (const sql of [...tables, ...more.mysql]) await database.query(sql)
    return { kind: 'mysql', url: createSecret(database.url) }
  },
  async postgres(cleanup) {
    const database = cleanup.use(await createDatabase('postgres'))
    for (const sql of [...tables, ...more.postgres]) await database.query(sql)
    return { kind: 'postgres', url: createSecret(database.url) }
  },
}
