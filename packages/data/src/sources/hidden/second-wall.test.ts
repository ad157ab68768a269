import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../engines/index.ts'
import { createStaff, staffNotes } from './test-staff.ts'

/** As if they had come past the one who makes statements free of what is hidden. */
const past = [
  'SELECT salary FROM people',
  'SELECT * FROM people',
  'SELECT * FROM main.people',
  'SELECT name FROM people ORDER BY salary',
  'SELECT * FROM (SELECT * FROM people AS p) AS x',
  'WITH people AS (SELECT id FROM main.people WHERE salary > 1) SELECT * FROM people',
  'WITH people AS (SELECT id, salary FROM main.people) SELECT * FROM people',
  'WITH people AS (SELECT max(salary) FROM main.people) SELECT * FROM people',
  'WITH people AS (SELECT id FROM main.people) SELECT * FROM people, main.people AS p',
  'SELECT code FROM vault',
  'SELECT count(*) FROM main.vault',
]
/** Where a WITH does not know itself nor those after it. */
const ownNames = [
  'WITH people AS (SELECT * FROM people) SELECT * FROM people',
  'WITH a AS (SELECT * FROM people), people AS (SELECT id FROM main.people) SELECT * FROM a',
]
const more = {
  files: [
    ...ownNames,
    'SELECT * FROM memory.main.people',
    'SELECT column_name FROM duckdb_columns()',
  ],
  duckdb: [
    ...ownNames,
    'SELECT * FROM staff.people',
    'SELECT column_name FROM information_schema.columns',
  ],
  sqlite: [
    'SELECT salary FROM everyone',
    'SELECT * FROM (SELECT salary AS x FROM people) AS everyone',
    // What stands in a view is not looked at: these have the name of one.
    'WITH everyone AS (SELECT salary AS x FROM people) SELECT * FROM everyone',
    'WITH "Everyone"(x) AS MATERIALIZED (SELECT salary FROM people) SELECT * FROM everyone',
    "SELECT * FROM (WITH 'everyone' AS (SELECT code AS x FROM vault) SELECT * FROM everyone)",
    'SELECT * FROM (WITH a AS (SELECT 1), [means] AS (SELECT salary AS x FROM people) SELECT * FROM means)',
    'SELECT sql FROM sqlite_schema',
    "SELECT name FROM pragma_table_info('people')",
  ],
} as const

describe.each(['files', 'duckdb', 'sqlite'] as const)('an engine of %s by itself', (kind) => {
  const cleanup = new AsyncDisposableStack()
  let engine: Engine

  beforeAll(async () => {
    const { source } = cleanup.use(await createStaff(kind))
    engine = cleanup.use(openEngine(source))
  })
  afterAll(() => cleanup.disposeAsync())

  async function ask(sql: string) {
    const { batches } = await engine.query(sql, { timeoutMs: 20_000, hidden: staffNotes })
    return (await Array.fromAsync(batches)).flat()
  }

  test.each([...past, ...more[kind]])('refuses %s', async (sql) => {
    await expect(ask(sql)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('reads what is left', async () => {
    const shown = 'WITH people AS (SELECT id, name FROM main.people)'
    expect(await ask(`${shown} SELECT * FROM people ORDER BY id`)).toEqual([
      [1, 'Ana'],
      [2, 'Bo'],
    ])
    expect(await ask('SELECT count(*) FROM offices')).toEqual([[2]])
  })

  if (kind === 'files') return

  test('reads views', async () => {
    expect(await ask('SELECT office, counted FROM means ORDER BY 1')).toHaveLength(2)
    expect(await ask('SELECT name FROM everyone ORDER BY 1')).toEqual([['Ana'], ['Bo']])
  })
})
