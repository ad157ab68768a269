import { longCount, mutateBytes, playMutated } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkStatement } from './check-statement.ts'
import type { Dialect } from './dialects.ts'

const mutants = longCount(500, 200_000)
const dialects = ['duckdb', 'sqlite', 'mysql', 'postgres'] as const

/** What people and models write; refusing it would be a fault. */
const everywhere = [
  'SELECT 1',
  'select 1;',
  ' ( SELECT 1 ) ',
  '-- a comment\nSELECT 1 -- and another\n;',
  '/* one */ SELECT /* two */ 1',
  "SELECT 'it''s; fine -- here' AS a",
  "SELECT 1 -- of Windows\r\n, '\u3000 \r' AS blanks /* \u2003 */",
  "SELECT 'DELETE FROM sales' AS words",
  'WITH a AS (SELECT 1 AS i), b AS (SELECT i + 1 AS i FROM a) SELECT * FROM b',
  "SELECT replace(name, 'a', 'b') FROM sales",
  "SELECT (replace(name, 'a', 'b')) FROM sales",
  'SELECT a.updated, a.deleted, insert_date FROM sales a',
  'SELECT coalesce(update_count, 0) FROM sales',
  'SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t ORDER BY 1 LIMIT 10',
  'SELECT count(*) FILTER (WHERE a > 1) FROM t',
  'EXPLAIN SELECT * FROM sales',
  'VALUES (1), (2)',
]

const some: Readonly<Record<Dialect, readonly string[]>> = {
  duckdb: [
    'FROM sales',
    'FROM sales SELECT id',
    'DESCRIBE sales',
    'SHOW TABLES',
    'SUMMARIZE sales',
    'SELECT $$a;b$$',
    'SELECT * EXCLUDE (a) FROM t',
  ],
  sqlite: ['EXPLAIN QUERY PLAN SELECT 1', 'SELECT [a;b] FROM t', 'SELECT `a` FROM t'],
  mysql: [
    'SHOW TABLES',
    'SHOW FULL COLUMNS FROM sales',
    'SHOW CREATE TABLE sales',
    'DESC sales',
    'DESCRIBE shop.sales',
    "DESCRIBE `my sales` 'a%'",
    'DESC sales id',
    'SHOW TABLES LIKE "a%"',
    "SHOW COLUMNS FROM sales WHERE Field IN ('id', 'name') AND (Type LIKE 'int%')",
    'SELECT 1.5e3, 1.e5, .5E-2, 2.',
    'SELECT a.1e FROM t',
    'SELECT "a;b" AS `c;d` # comment',
    "SELECT 'a\\'b; c'",
    'EXPLAIN FORMAT=JSON SELECT 1',
    'SELECT 5--1',
    'SELECT last_insert_id()',
  ],
  postgres: [
    'TABLE sales',
    'SHOW timezone',
    "SELECT $a$ ; $a$, E'\\';', substring('abc' FROM 1 FOR 2)",
    'SELECT /* a /* nested */ comment */ 1',
    'EXPLAIN (FORMAT JSON, COSTS OFF) SELECT 1',
    "SELECT 'a'::text, now() AT TIME ZONE 'UTC'",
    'SELECT a & b FROM t',
  ],
}

/** Where a text ends for the engine, and a second statement or a function stands after it. */
const texts: Readonly<Record<Dialect, readonly string[]>> = {
  duckdb: [
    "SELECT $\u00d7$ ' $\u00d7$, read_text('a') -- '",
    "SELECT $\u{1f600}$ ' $\u{1f600}$, read_text('a') -- '",
    "SELECT E'a'\n'\\' ', read_text('a') -- '",
    "SELECT E'a' -- b\n'\\' ', read_text('a') -- '",
    "SELECT @read_text('a')",
  ],
  sqlite: [
    "SELECT $a('); DELETE FROM t -- '",
    ...[':a', '@a', '#a', '?'].map((a) => `SELECT ${a}`),
  ],
  mysql: ["SELECT 1 --\u007f ' \n, load_file('a') -- '", 'SELECT 1 INTO@a'],
  postgres: [
    "SELECT $\u00d7$ ' $\u00d7$, pg_read_file('a') -- '",
    "SELECT $\u{1f600}$ ' $\u{1f600}$, pg_read_file('a') -- '",
    "SELECT E'a'\n'\\' ', pg_read_file('a') -- '",
    "SELECT 'a' @@pg_read_file('a')",
    "SELECT @lo_export(1, 'a')",
  ],
}

/** What looks like a list or a description, and is more. */
const others: Readonly<Record<Dialect, readonly string[]>> = {
  duckdb: ["DESCRIBE SELECT * FROM read_text('/etc/passwd')"],
  sqlite: ["EXPLAIN SELECT readfile('a')"],
  mysql: [
    "SHOW TABLES WHERE load_file('/etc/passwd') IS NOT NULL",
    "SHOW TABLES WHERE load_file ('/etc/passwd') IS NOT NULL",
    'SHOW TABLES WHERE (SELECT 1) = 1',
    'SHOW TABLES WHERE Tables_in_shop IN (WITH a AS (VALUES (1)) TABLE a)',
    'SHOW TABLES WHERE upper(Tables_in_shop) = "A"',
    'SHOW TABLES WHERE @a := 1',
    'DESC ANALYZE DELETE a FROM sales a',
    'DESC DELETE FROM sales',
    "DESC SELECT 1 INTO OUTFILE '/tmp/x'",
    'DESCRIBE FOR CONNECTION 3',
    'DESCRIBE ANALYZE sales',
    'DESC SELECT a',
    'DESC FORMAT=JSON SELECT 1',
    'DESC (SELECT 1)',
    'DESC',
    "SELECT load_file 1.e('/etc/passwd')",
    "SELECT load_file 1.5e('/etc/passwd')",
    "SELECT load_file .5E+('/etc/passwd')",
    'SELECT * FROM shop 1.e.staff',
  ],
  postgres: [
    ...['http_get', 'http_post', 'http', 'net.http_delete'].map(
      (name) => `SELECT ${name}('http://a')`,
    ),
    'SELECT pg_stat_statements_reset()',
    "SELECT pg_background_launch('DELETE FROM sales')",
    "SELECT aws_lambda.invoke('a', '{}')",
    "SELECT aws_s3.query_export_to_s3('SELECT 1', 'a')",
    'SELECT pg_show_all_file_settings()',
    'SELECT pg_hba_file_rules()',
  ],
}

describe.each(dialects)('the gate of %s', (dialect) => {
  test.each([...everywhere, ...some[dialect]])('lets %j through', (sql) => {
    expect(checkStatement(sql, dialect)).toMatchObject({ status: 'ok' })
  })

  test('tells what it takes the statement to be, without what stands around it', () => {
    expect(checkStatement(' /* a */ SELECT 1 ; ; -- b', dialect)).toEqual({
      ...{ status: 'ok', verb: 'select', sql: 'SELECT 1', inner: 'SELECT 1' },
    })
    expect(checkStatement('EXPLAIN SELECT 1;', dialect)).toMatchObject({
      ...{ verb: 'explain', sql: 'EXPLAIN SELECT 1', inner: 'SELECT 1' },
    })
  })

  test.each([
    ['', 'empty'],
    ['-- nothing', 'empty'],
    ["SELECT 'a", 'no end'],
    ['SELECT /* a', 'no end'],
    ['SELECT 1; SELECT 2', 'one statement'],
    ['DROP TABLE a', 'DROP'],
    ['SELECT 1\0', 'NUL'],
    ['SELECT 1 -- a\r, secret FROM t', 'carriage return'],
    ['SELECT\u2003secret FROM t', 'U+2003'],
    ['SELECT 1 FROM t\u3000', 'U+3000'],
    ['SELECT 1 \u007f', 'control character'],
    ['SELECT 1 '.repeat(50_000), 'characters'],
  ])('says of %s why it is refused', (sql, words) => {
    const verdict = checkStatement(sql, dialect)
    expect(verdict).toMatchObject({ status: 'refused', message: expect.stringContaining(words) })
  })

  test.each(texts[dialect])('takes %j for what the engine does', (sql) => {
    expect(checkStatement(sql, dialect)).toMatchObject({ status: 'refused' })
  })

  test.each(others[dialect])('refuses %j', (sql) => {
    expect(checkStatement(sql, dialect)).toMatchObject({ status: 'refused' })
  })

  test('never throws, and takes time in proportion to the text', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '`',
      '[',
      ']',
      '$',
      '$a$',
      '/*',
      '*/',
      '--',
      '#',
      '\\',
      ';',
      'E',
      '(',
      'select',
      '\n',
      '中',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(['ok', 'refused']).toContain(checkStatement(pieces.join(''), dialect).status)
      }),
      { numRuns: longCount(200, 100_000) },
    )
    const began = performance.now()
    for (const text of ['(', '/*', "'", '$', '$a$', '-- \n', 'a ', '\\', '*/', '[']) {
      checkStatement(`SELECT ${text.repeat(180_000 / text.length)}`, dialect)
    }
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test(`of ${mutants} mutated statements none that it lets through can be followed by another`, async () => {
    const samples = [...everywhere, ...some[dialect], ...texts[dialect]]
    let passed = 0
    await playMutated({ samples, count: mutants, mutate: mutateBytes }, (input) => {
      const verdict = checkStatement(input.toString(), dialect)
      if (verdict.status === 'refused') return expect(verdict.message).not.toBe('')
      passed += 1
      // What it hands on is what it looked at, and is whole: no text or comment is left open.
      expect(checkStatement(verdict.sql, dialect)).toEqual(verdict)
      const followed = checkStatement(`${verdict.sql}\n; DROP TABLE sales`, dialect)
      expect(followed.status).toBe('refused')
    })
    expect(passed).toBeGreaterThan(mutants / 20)
  }, 600_000)
})
