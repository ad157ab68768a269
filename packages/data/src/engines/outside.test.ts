import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAppError } from '@dataagent/schema'
import { type TemporaryDirectory, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { openEngine } from './open-engine.ts'
import { makeDuckdb, readAll } from './test-sources.ts'

const canary = 'canary-5b1f'

/** Every way to name a file in SQL that we know of; `{file}` is one outside, `{dir}` its folder. */
const ways = [
  "SELECT * FROM '{file}'",
  'SELECT * FROM "{file}"',
  "FROM '{file}'",
  "SELECT * FROM 'file://{file}'",
  "SELECT * FROM '../outside/secret.csv'",
  "SELECT * FROM '{dir}/*.csv'",
  "SELECT * FROM '/**/secret.csv'",
  "SELECT * FROM 'linked.csv'",
  'SELECT * FROM linked',
  "SELECT * FROM 'linked/secret.csv'",
  "SELECT * FROM read_csv('{file}')",
  "SELECT * FROM read_csv_auto('{file}')",
  "SELECT * FROM read_csv(['{file}'])",
  "SELECT * FROM read_text('{file}')",
  "SELECT * FROM read_text('linked.csv')",
  "SELECT * FROM read_blob('{file}')",
  "SELECT * FROM read_json('{file}')",
  "SELECT * FROM read_json_objects('{file}', format = 'unstructured')",
  "SELECT * FROM read_ndjson_objects('{file}')",
  "SELECT * FROM read_parquet('{file}')",
  "SELECT * FROM parquet_scan('{file}')",
  "SELECT * FROM parquet_metadata('{file}')",
  "SELECT * FROM parquet_schema('{file}')",
  "SELECT * FROM parquet_kv_metadata('{file}')",
  "SELECT * FROM parquet_file_metadata('{file}')",
  "SELECT * FROM sniff_csv('{file}')",
  "SELECT * FROM glob('{dir}/*')",
  "SELECT * FROM glob('/**')",
  "SELECT * FROM query('FROM read_text(''{file}'')')",
  "SELECT * FROM query_table('{file}')",
  "SELECT * FROM read_duckdb('{file}')",
  "SELECT * FROM histogram('{file}', a)",
  'SELECT * FROM arrow_scan(1, 2, 3)',
  "WITH x AS (FROM read_text('{file}')) SELECT * FROM x",
  "SELECT (SELECT content FROM read_text('{file}'))",
  "SELECT * FROM (SELECT * FROM read_text('{file}'))",
  "SELECT 1 WHERE EXISTS (FROM read_text('{file}'))",
  "EXPLAIN SELECT * FROM read_text('{file}')",
  "DESCRIBE SELECT * FROM read_csv('{file}')",
  "DESCRIBE '{file}'",
  "SUMMARIZE '{file}'",
  "SUMMARIZE SELECT * FROM read_csv('{file}')",
  'WITH "{file}" AS (SELECT 1) SELECT * FROM (SELECT 1) a, (SELECT * FROM \'{file}\') b',
  "SELECT current_setting('allowed_directories')",
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM pg_settings',
  'SELECT * FROM duckdb_databases()',
  'SELECT * FROM duckdb_views()',
  'SELECT sql FROM sqlite_master',
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM duckdb_external_file_cache()',
  'SELECT * FROM duckdb_temporary_files()',
  'SHOW DATABASES',
  "SELECT getenv('HOME')",
]

describe.each(['preferred', 'off'] as const)('with the sandbox %s', (sandbox) => {
  test('no file outside the folder is read, and no path is told', async () => {
    await using place = await createPlace()
    const { folder, file, dir } = place
    await using engine = openEngine({ kind: 'files', folder }, { sandbox })
    for (const way of ways) {
      const sql = way.replaceAll('{file}', file).replaceAll('{dir}', dir)
      const told = await readAll(engine, sql).then(
        (rows) => JSON.stringify(rows),
        (error) => (isAppError(error) ? error.message : String(error)),
      )
      expect(told).not.toContain(canary)
      expect(told.replaceAll(file, '').replaceAll(dir, '')).not.toContain(place.path)
    }
    expect(await readAll(engine, 'SELECT count(*) FROM inside')).toEqual([[1]])
  })

  test('a link that leaves is no table, and a file that becomes one is no longer read', async () => {
    await using place = await createPlace()
    const { folder, file } = place
    await using engine = openEngine({ kind: 'files', folder }, { sandbox })
    expect((await engine.describe({})).map(({ name }) => name)).toEqual(['inside', 'within'])
    expect(await readAll(engine, 'FROM within')).toEqual([[7]])
    await writeFile(join(folder, 'later.csv'), 'a\n1\n')
    expect(await readAll(engine, 'FROM later')).toEqual([[1]])
    await rm(join(folder, 'later.csv'))
    await symlink(file, join(folder, 'later.csv'))
    await expect(readAll(engine, 'FROM later')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a database file reads no other file, not even by its own views and macros', async () => {
    await using place = await createPlace()
    const path = join(place.folder, 'data.duckdb')
    await makeDuckdb(path, [
      `CREATE VIEW v AS SELECT * FROM read_csv('${place.file}')`,
      `CREATE MACRO m() AS TABLE SELECT * FROM read_text('${place.file}')`,
      'CREATE TABLE t (a INTEGER)',
    ])
    await using engine = openEngine({ kind: 'duckdb', path }, { sandbox })
    for (const sql of ['FROM v', 'FROM m()', `FROM '${place.file}'`, 'FROM duckdb_databases()']) {
      await expect(readAll(engine, sql)).rejects.toThrow()
    }
    expect(await readAll(engine, 'SELECT count(*) FROM t')).toEqual([[0]])
  })
})

interface Place extends TemporaryDirectory {
  folder: string
  dir: string
  file: string
}

async function createPlace(): Promise<Place> {
  const root = await temporaryDirectory()
  const folder = join(root.path, 'folder')
  const dir = join(root.path, 'outside')
  const file = join(dir, 'secret.csv')
  await mkdir(join(folder, 'real'), { recursive: true })
  await mkdir(dir)
  await writeFile(file, `a,b\n${canary},${canary}\n`)
  await writeFile(join(folder, 'inside.csv'), 'a\n1\n')
  await writeFile(join(folder, '.hidden.csv'), 'a\n1\n')
  await writeFile(join(folder, 'real', '.x'), 'a\n7\n')
  await symlink(file, join(folder, 'linked.csv'))
  await symlink(dir, join(folder, 'linked'))
  await symlink(join(folder, 'real', '.x'), join(folder, 'within.csv'))
  return { ...root, folder, dir, file, [Symbol.asyncDispose]: root[Symbol.asyncDispose] }
}
