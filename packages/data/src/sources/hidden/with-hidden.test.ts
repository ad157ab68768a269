import type { DataRow, SourceKind } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../engines/index.ts'
import type { SourceNotes } from '../../ports.ts'
import { attempts } from './test-attempts.ts'
import { createStaff, findKinds, secretValue, staffNotes } from './test-staff.ts'
import { withHidden } from './with-hidden.ts'

const notesOf: Readonly<Record<SourceKind, SourceNotes>> = {
  files: staffNotes,
  sqlite: staffNotes,
  duckdb: also('hr.people'),
  mysql: also('1st', '2024'),
  postgres: also('hr.pay', 'grades', 'l'.repeat(63)),
}

const kinds = await findKinds()

describe.each(kinds)('what is hidden in a source of %s', (kind) => {
  const cleanup = new AsyncDisposableStack()
  let engine: Engine
  let database = ''

  beforeAll(async () => {
    const { source } = cleanup.use(await createStaff(kind))
    if ('url' in source) database = new URL(source.url.reveal()).pathname.slice(1)
    engine = withHidden(cleanup.use(openEngine(source)), notesOf[kind])
  })
  afterAll(() => cleanup.disposeAsync())

  async function ask(sql: string) {
    const asked = sql.replaceAll('$db', database)
    const { columns, batches } = await engine.query(asked, { timeoutMs: 20_000 })
    const rows = (await Array.fromAsync(batches)).flat() as DataRow[]
    return { columns: columns.map(({ name }) => name), rows }
  }

  test.each(attempts[kind].refused)('is not used by %s', async (sql) => {
    const error = await ask(sql).then(
      ({ rows }) => expect.fail(`gave ${JSON.stringify(rows)}`),
      (caught) => caught,
    )
    expect(['invalid_request', 'forbidden', 'not_found']).toContain(error.code)
    expect(error.message).not.toContain(secretValue)
  })

  test.each(attempts[kind].clean)('is not given by %s', async (sql) => {
    const given = await ask(sql)
    expect(JSON.stringify(given)).not.toContain(secretValue)
    expect(given.columns.map((name) => name.toLowerCase())).not.toContain('salary')
  })

  test('is not described, and the rest is', async () => {
    const tables = await engine.describe({})
    const names = tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])
    expect(Object.fromEntries(names)).toMatchObject({
      people: ['id', 'name', 'office'],
      offices: ['office', 'vault'],
      ...(kind !== 'files' && { everyone: ['id', 'name', 'office'], means: ['office', 'counted'] }),
    })
    expect(JSON.stringify(tables)).not.toMatch(/salary|"name":"vault","row_count/i)
  })

  test.each([
    ['SELECT count(*) AS n FROM people', [[2]]],
    ['SELECT name FROM people ORDER BY id DESC', [['Bo'], ['Ana']]],
    ['SELECT vault FROM offices ORDER BY 1', [['new'], ['old']]],
    [
      'SELECT o.vault, p.name FROM offices o JOIN people p USING (office) ORDER BY 1',
      [
        ['new', 'Bo'],
        ['old', 'Ana'],
      ],
    ],
    ["SELECT count(*) FROM offices WHERE vault = 'people'", [[0]]],
    ['SELECT count(*) FROM (SELECT * FROM people;) AS given'.replace(';', ''), [[2]]],
  ])('leaves %s as it is', async (sql, rows) => {
    expect((await ask(sql)).rows).toEqual(rows)
  })

  if (kind === 'files') return

  test('a view gives what it was made for', async () => {
    const { rows } = await ask('SELECT office, counted FROM means ORDER BY office')
    expect(rows).toEqual([
      ['north', 1],
      ['south', 1],
    ])
  })
})

describe('functions that somebody has made in', () => {
  const timeoutMs = 20_000

  test('a DuckDB file run where nothing of it is hidden', async () => {
    await using staff = await createStaff('duckdb')
    await using engine = withHidden(openEngine(staff.source), { tables: {} })
    for (const sql of ['SELECT max(salary) FROM everybody()', 'SELECT pay_of(1)']) {
      const { batches } = await engine.query(sql, { timeoutMs })
      expect(await Array.fromAsync(batches)).toEqual([[[secretValue]]])
    }
  })

  test.skipIf(!kinds.includes('postgres'))(
    'a database server read what its grants let them: hiding is no wall there',
    async () => {
      await using staff = await createStaff('postgres')
      await using engine = withHidden(openEngine(staff.source), staffNotes)
      const { batches } = await engine.query('SELECT max(salary) FROM everybody()', { timeoutMs })
      expect(await Array.fromAsync(batches)).toEqual([[[secretValue]]])
    },
  )
})

function also(...tables: string[]): SourceNotes {
  const hides = { columns: { salary: { hidden: true } } }
  return {
    tables: { ...staffNotes.tables, ...Object.fromEntries(tables.map((name) => [name, hides])) },
  }
}
