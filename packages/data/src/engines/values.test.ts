import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecret, type DataColumn, type DataRow } from '@dataagent/schema'
import { createDatabase, findService, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Engine } from './contract.ts'
import { openEngine } from './open-engine.ts'
import type { EngineSource } from './source.ts'
import { makeDuckdb } from './test-sources.ts'

interface Told {
  columns: readonly DataColumn[]
  row: DataRow
}

async function askOne(engine: Engine, sql: string): Promise<Told> {
  const query = await engine.query(sql, { timeoutMs: 20_000 })
  const rows = (await Array.fromAsync(query.batches)).flat()
  return { columns: query.columns, row: rows[0]! }
}

/** Of each column its value, and what it is said to be. */
async function tell(source: EngineSource, sql: string) {
  await using engine = openEngine(source)
  const { columns, row } = await askOne(engine, sql)
  return Object.fromEntries(
    columns.map(({ name, kind, type }, at) => [name, [row[at], kind, type]]),
  )
}

test('values of DuckDB keep their digits, their moment and their bytes', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'a.duckdb')
  await makeDuckdb(path, [])
  const told = await tell(
    { kind: 'duckdb', path },
    `SELECT 9007199254740993::BIGINT AS big, 42::BIGINT AS small,
      12345678901234567890.12::DECIMAL(38,2) AS dec,
      170141183460469231731687303715884105727::HUGEINT AS huge, 0.1::DOUBLE AS f,
      'NaN'::DOUBLE AS nan,
      '-Infinity'::FLOAT AS inf, TRUE AS yes, DATE '2024-02-29' AS d, TIME '10:11:12.5' AS t,
      TIMESTAMP '2024-02-29 23:59:59.123456' AS ts, TIMESTAMPTZ '2024-03-01 08:00:00+08' AS tz,
      TIMESTAMP_NS '2024-02-29 00:00:00.123456789' AS ns,
      'ab\\x00'::BLOB AS bytes, [1, NULL, 9007199254740993] AS list,
      {'a': 1.50::DECIMAL(4,2), 'b': 'x'} AS struct,
      MAP {'k': DATE '2024-01-01'} AS map, '{"a": 1}'::JSON AS json, NULL AS nothing,
      '00000000-0000-0000-0000-00000000000a'::UUID AS uuid, '中文 🚀' AS text,
      INTERVAL 3 DAY AS i`,
  )
  expect(told).toEqual({
    big: ['9007199254740993', 'integer', 'BIGINT'],
    small: [42, 'integer', 'BIGINT'],
    dec: ['12345678901234567890.12', 'decimal', 'DECIMAL(38,2)'],
    huge: ['170141183460469231731687303715884105727', 'integer', 'HUGEINT'],
    f: [0.1, 'float', 'DOUBLE'],
    nan: ['NaN', 'float', 'DOUBLE'],
    inf: ['-Infinity', 'float', 'FLOAT'],
    yes: [true, 'boolean', 'BOOLEAN'],
    d: ['2024-02-29', 'date', 'DATE'],
    t: ['10:11:12.5', 'time', 'TIME'],
    ts: ['2024-02-29T23:59:59.123456', 'timestamp', 'TIMESTAMP'],
    tz: ['2024-03-01T00:00:00Z', 'timestamp', 'TIMESTAMP WITH TIME ZONE'],
    ns: ['2024-02-29T00:00:00.123456789', 'timestamp', 'TIMESTAMP_NS'],
    bytes: ['616200', 'bytes', 'BLOB'],
    list: ['[1,null,"9007199254740993"]', 'json', 'BIGINT[]'],
    struct: ['{"a":"1.50","b":"x"}', 'json', 'STRUCT("a" DECIMAL(4,2), "b" VARCHAR)'],
    map: ['{"k":"2024-01-01"}', 'json', 'MAP(VARCHAR, DATE)'],
    json: ['{"a": 1}', 'json', 'JSON'],
    nothing: [null, 'integer', 'INTEGER'],
    uuid: ['00000000-0000-0000-0000-00000000000a', 'text', 'UUID'],
    text: ['中文 🚀', 'text', 'VARCHAR'],
    i: ['3 days', 'other', 'INTERVAL'],
  })
})

test('values of SQLite keep their digits, and columns are what their first values are', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'a.sqlite')
  using database = new DatabaseSync(path)
  database.exec(`CREATE TABLE t (big BIGINT, d DATE, price DECIMAL(10,2), loose, blob BLOB,
    odd INTEGER);
    INSERT INTO t VALUES (9007199254740993, '2024-02-29', 1.5, 7, x'00ff', 'text')`)
  const told = await tell(
    { kind: 'sqlite', path },
    'SELECT *, 1e999 AS inf, sum(big) AS s, NULL AS n FROM t',
  )
  expect(told).toEqual({
    big: ['9007199254740993', 'integer', 'BIGINT'],
    d: ['2024-02-29', 'date', 'DATE'],
    price: [1.5, 'decimal', 'DECIMAL(10,2)'],
    loose: [7, 'integer', 'INTEGER'],
    blob: ['00ff', 'bytes', 'BLOB'],
    odd: ['text', 'text', 'INTEGER'],
    inf: ['Infinity', 'float', 'FLOAT'],
    s: ['9007199254740993', 'integer', 'INTEGER'],
    n: [null, 'other', 'OTHER'],
  })
})

describe.skipIf(!(await findService('mysql')))('on MySQL', () => {
  test('values keep their digits, and no date is shifted', async () => {
    await using database = await createDatabase('mysql')
    await database.query(`CREATE TABLE t (big BIGINT UNSIGNED, price DECIMAL(30,10), d DATE,
      dt DATETIME(3),
      ts TIMESTAMP NULL, tm TIME, y YEAR, f DOUBLE, b VARBINARY(4), bits BIT(10),
      txt VARCHAR(20), tiny TINYINT(1),
      e ENUM('a', 'b'), n INT)`)
    await database.query(`INSERT INTO t VALUES (18446744073709551615,
      12345678901234567890.0123456789, '2024-02-29',
      '2024-02-29 23:59:59.123', '2024-03-01 00:00:00', '-12:00:00', 2024, 0.1, x'00ff',
      b'1000000001', '中文 🚀', 1, 'b', NULL)`)
    const source = { kind: 'mysql', url: createSecret(database.url) } as const
    expect(await tell(source, 'SELECT *, 1.50 AS lit, COUNT(*) AS c FROM t')).toEqual({
      big: ['18446744073709551615', 'integer', 'BIGINT UNSIGNED'],
      price: ['12345678901234567890.0123456789', 'decimal', 'DECIMAL(30,10)'],
      d: ['2024-02-29', 'date', 'DATE'],
      dt: ['2024-02-29T23:59:59.123', 'timestamp', 'DATETIME'],
      ts: ['2024-03-01T00:00:00', 'timestamp', 'TIMESTAMP'],
      tm: ['-12:00:00', 'time', 'TIME'],
      y: [2024, 'integer', 'YEAR'],
      f: [0.1, 'float', 'DOUBLE'],
      b: ['00ff', 'bytes', 'VARBINARY(4)'],
      bits: [513, 'integer', 'BIT UNSIGNED'],
      txt: ['中文 🚀', 'text', 'VARCHAR(20)'],
      tiny: [1, 'integer', 'TINYINT'],
      e: ['b', 'text', 'VARCHAR(1)'],
      n: [null, 'integer', 'INT'],
      lit: ['1.50', 'decimal', 'DECIMAL(3,2)'],
      c: [1, 'integer', 'BIGINT'],
    })
  })
})

describe.skipIf(!(await findService('postgres')))('on PostgreSQL', () => {
  test('values keep their digits, moments are in UTC and no date is shifted', async () => {
    await using database = await createDatabase('postgres')
    await database.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET timezone = 'Asia/Kolkata'`,
    )
    await database.query("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    const source = { kind: 'postgres', url: createSecret(database.url) } as const
    const told = await tell(
      source,
      `SELECT 9007199254740993::bigint AS big, 42::bigint AS small,
        12345678901234567890.0123456789::numeric(30,10) AS dec,
        'NaN'::numeric AS nan, 0.1::float8 AS f, 'Infinity'::float4 AS inf, true AS yes,
        date '2024-02-29' AS d,
        timestamp '2024-02-29 23:59:59.123456' AS ts,
        timestamptz '2024-03-01 05:30:00.5+05:30' AS tz,
        timestamptz 'infinity' AS forever, time '10:11:12' AS t, '\\x00ff'::bytea AS bytes,
        ARRAY[1, 2] AS list,
        '{"a": 1}'::jsonb AS json, 'ok'::mood AS mood, NULL AS nothing,
        interval '1 day 2 hours' AS i,
        'x'::varchar(7) AS v, '中文 🚀' AS text, date_trunc('day',
        timestamptz '2024-03-01 01:00:00+05:30') AS day`,
    )
    expect(told).toEqual({
      big: ['9007199254740993', 'integer', 'bigint'],
      small: [42, 'integer', 'bigint'],
      dec: ['12345678901234567890.0123456789', 'decimal', 'numeric(30,10)'],
      nan: ['NaN', 'decimal', 'numeric'],
      f: [0.1, 'float', 'double precision'],
      inf: ['Infinity', 'float', 'real'],
      yes: [true, 'boolean', 'boolean'],
      d: ['2024-02-29', 'date', 'date'],
      ts: ['2024-02-29T23:59:59.123456', 'timestamp', 'timestamp'],
      tz: ['2024-03-01T00:00:00.5Z', 'timestamp', 'timestamp with time zone'],
      forever: ['infinity', 'timestamp', 'timestamp with time zone'],
      t: ['10:11:12', 'time', 'time'],
      bytes: ['00ff', 'bytes', 'bytea'],
      list: ['{1,2}', 'other', 'integer[]'],
      json: ['{"a": 1}', 'json', 'jsonb'],
      mood: ['ok', 'other', 'mood'],
      nothing: [null, 'text', 'text'],
      i: ['P1DT2H', 'other', 'interval'],
      v: ['x', 'text', 'character varying(7)'],
      text: ['中文 🚀', 'text', 'text'],
      day: ['2024-02-29T18:30:00Z', 'timestamp', 'timestamp with time zone'],
    })
  })
})
