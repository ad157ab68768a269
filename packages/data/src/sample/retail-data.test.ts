import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { retailTables } from './retail-tables.ts'
import { openTestRetail, type TestRetail } from './test-retail.ts'

let retail: TestRetail
beforeAll(async () => {
  retail = await openTestRetail()
})
afterAll(() => retail[Symbol.asyncDispose]())

async function numbers(sql: string): Promise<number[]> {
  const { rows } = await retail.query(sql)
  return (rows.length === 1 ? (rows[0] ?? []) : rows.flat()).map(Number)
}

test('it is a year of 300,000 orders in less than 15 MB', async () => {
  const [orders, ids, days] = await numbers(
    'SELECT count(*), count(DISTINCT order_id), count(DISTINCT ordered_at::DATE) FROM orders',
  )
  expect([orders, ids, days]).toEqual([300_000, 300_000, 365])
  const { rows } = await retail.query('SELECT max(ordered_at)::DATE FROM orders')
  expect(rows).toEqual([['2026-11-17']])
  const { size } = await stat(join(retail.folder, 'orders.parquet'))
  expect(size).toBeLessThan(15_000_000)
})

test('every order has its product, its region and a customer of that region who had joined', async () => {
  const joined = `SELECT count(*) FROM orders AS o
    JOIN products USING (product_id) JOIN regions AS r USING (region_id)
    JOIN customers AS c ON c.customer_id = o.customer_id AND c.region_id = o.region_id
      AND c.joined_on <= o.ordered_at`
  expect(await numbers(joined)).toEqual([300_000])
})

test('amounts are exact to the cent', async () => {
  const wrong = `SELECT count(*) FROM orders
    WHERE amount <> round(quantity * unit_price * (1 - discount), 2) OR amount <= 0`
  expect(await numbers(wrong)).toEqual([0])
})

test('weekends and the promotion sell more, and the year ends higher than it began', async () => {
  const [weekend = 0, week = 0] = await numbers(`SELECT
    count(*) FILTER (isodow(ordered_at) > 5) / 2, count(*) FILTER (isodow(ordered_at) <= 5) / 5
    FROM orders`)
  expect(weekend / week).toBeGreaterThan(1.1)
  const { rows } = await retail.query(
    'SELECT ordered_at::DATE FROM orders GROUP BY ALL ORDER BY count(*) DESC LIMIT 1',
  )
  expect(rows).toEqual([['2026-11-11']])
  const [january = 0, october = 0] = await numbers(`SELECT
    count(*) FILTER (month(ordered_at) = 1), count(*) FILTER (month(ordered_at) = 10) FROM orders`)
  expect(october / january).toBeGreaterThan(1.1)
})

test('regions differ in size and in where they go', async () => {
  const shares = await numbers(`SELECT
    count(*) FILTER (r.name = 'East') / count(*), count(*) FILTER (r.name = 'Northwest') / count(*)
    FROM orders JOIN regions AS r USING (region_id)`)
  expect(shares[0]).toBeGreaterThan(4 * (shares[1] ?? 0))
  const [southwest = 0, northeast = 0] = await numbers(`WITH months AS (
      SELECT r.name, count(*) FILTER (month(ordered_at) = 12) AS first,
        count(*) FILTER (month(ordered_at) = 10) AS last
      FROM orders JOIN regions AS r USING (region_id) GROUP BY ALL)
    SELECT last / first FROM months WHERE name IN ('Southwest', 'Northeast') ORDER BY name DESC`)
  expect(southwest).toBeGreaterThan(1.3)
  expect(northeast).toBeLessThan(0.9)
})

test('a few in a hundred are refunded or cancelled, clothes most often', async () => {
  const [refunded = 0, cancelled = 0] = await numbers(`SELECT
    count(*) FILTER (status = 'refunded') / count(*),
    count(*) FILTER (status = 'cancelled') / count(*) FROM orders`)
  expect(refunded).toBeGreaterThan(0.02)
  expect(refunded).toBeLessThan(0.06)
  expect(cancelled).toBeCloseTo(0.02, 2)
  const { rows } = await retail.query(`SELECT category FROM orders JOIN products USING (product_id)
    GROUP BY ALL ORDER BY count(*) FILTER (status = 'refunded') / count(*) DESC LIMIT 1`)
  expect(rows).toEqual([['Clothing']])
})

test.each(retailTables)('every column of $name is described in both languages', async (table) => {
  const { rows } = await retail.query(`DESCRIBE ${table.name}`)
  expect(table.columns.map(({ name }) => name)).toEqual(rows.map(([name]) => name))
  for (const { description } of [table, ...table.columns])
    expect(description).toMatch(/[a-z].*\p{Script=Han}|\p{Script=Han}.*[a-z]/u)
})
