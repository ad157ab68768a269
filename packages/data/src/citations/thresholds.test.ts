import { expect, test } from 'vitest'
import { findThresholds } from './thresholds.ts'

test.each([
  ['SELECT a FROM t WHERE spent > 5000', ['5000']],
  ['SELECT a FROM t WHERE 10<=a AND b <> -3 AND c!=(4)', ['10', '3', '4']],
  ["SELECT a FROM t WHERE n BETWEEN 1 AND 9 AND m = 'Model 300'", ['1', '9', 'Model 300']],
  ["SELECT a FROM t WHERE n IN (1, -2, 'x') OR n NOT LIKE '%7%'", ['1', '2', 'x', '%7%']],
  ["SELECT CASE WHEN a >= 1000 THEN 'large' ELSE 'small' END FROM t", ['1000']],
  ['SELECT a FROM t GROUP BY a HAVING count(*) > 5 ORDER BY 1 LIMIT 10 OFFSET 20', ['5']],
  ['SELECT a::DECIMAL(18, 2) FROM t WHERE d > now() - INTERVAL 1 MONTH', []],
  ["SELECT a FROM t WHERE d >= DATE_SUB(NOW(), INTERVAL 30 DAY) AND `b` = 'y'", ['y']],
  ['SELECT avg(a) OVER (ORDER BY d ROWS BETWEEN 6 PRECEDING AND 1 FOLLOWING) FROM t', []],
  ['SELECT a FROM t WHERE b IN (SELECT c FROM u LIMIT 10)', []],
  ["SELECT a->>'$.b1', a >> 2, f(x => 3) FROM t -- WHERE a > 4\n", []],
  ['SELECT round(a * 100.0, 1) FROM t /* a > 4 */ WHERE a > b', []],
  ["SELECT 'it\\'s' FROM t WHERE a > 5", ['5']],
  ["SELECT 'never closed WHERE a > 5", []],
])('of %s', (sql, thresholds) => {
  expect(findThresholds(sql)).toEqual(thresholds)
})
