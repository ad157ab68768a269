import { expect, test } from 'vitest'
import { withNames } from './with-names.ts'

test.each<[string, string[]]>([
  ['SELECT 1', []],
  ['WITH a AS (SELECT 1) SELECT * FROM a AS b', ['a']],
  [
    'WITH RECURSIVE a(x, "y)") AS NOT MATERIALIZED (SELECT 1), "B b" AS (SELECT 2) SELECT 3',
    ['a', 'B b'],
  ],
  ["SELECT * FROM (WITH 'c' AS MATERIALIZED (SELECT 1) SELECT * FROM c) AS d", ['c']],
  ['SELECT sum(x) OVER w FROM t WINDOW w AS (ORDER BY x)', ['w']],
  ['SELECT CAST(a AS INT), count(*) AS n FROM t', []],
])('%s', (sql, names) => {
  expect(withNames(sql, 'sqlite')).toEqual(names)
})
