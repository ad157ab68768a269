import {
  categories,
  channels,
  hourWeights,
  monthWeights,
  promotions,
  regions,
  segments,
  weekdayWeights,
} from './retail-world.ts'

export interface RetailPlan {
  seed: number
  days: number
  orders: number
  /** The last day: `2026-11-30`. */
  until: string
}

const customerCount = 20_000
/** Of the sales of a category's products, from the best-selling. */
const popularity = [9, 8, 6, 5, 4, 3, 2, 2]

/**
 * Statements that make the tables `orders`, `products`, `regions` and `customers`, and some that
 * these are made of. Whatever looks like chance is a hash of the seed and of what it is for, and
 * every step counts in whole numbers: the same plan gives the same rows.
 */
export function toRetailSql(plan: RetailPlan): string[] {
  return [chances(plan), ...places(), ...goods(), days(plan), customers(plan), orders(plan)]
}

/** A whole number from 0 below `size`, of `key` and of what it is for. */
function chances({ seed }: RetailPlan): string {
  const mixed = `hash(key, hash(purpose, ${Math.trunc(seed)}::BIGINT))`
  return `CREATE MACRO chance(key, purpose, size) AS (${mixed} % size::UBIGINT)::BIGINT`
}

function places(): string[] {
  const total = regions.reduce((sum, { weight }) => sum + weight, 0)
  const rows = regions.map(({ name, name_zh, weight, trend, refunds }, place) =>
    toRow([place + 1, name, name_zh, weight, trend, refunds]),
  )
  return [
    `CREATE TABLE places AS
      SELECT *, weight * ${customerCount} // ${total} AS customers
      FROM (VALUES ${rows})
        AS places(region_id, name, name_zh, weight, trend, refunds)`,
    `CREATE TABLE regions AS SELECT region_id, name, name_zh FROM places ORDER BY region_id`,
    // As many slots in a period of 31 days as a region has weight: one is drawn for each order.
    `CREATE TABLE region_slots AS
      WITH each AS (
        SELECT period, region_id, unnest(range(weight + trend * period)) AS place
        FROM places, range(40) AS periods(period))
      SELECT period, region_id,
        row_number() OVER (PARTITION BY period ORDER BY region_id, place) - 1 AS slot
      FROM each`,
  ]
}

function goods(): string[] {
  const rows = categories.flatMap((category, c) =>
    category.products.map(([name, name_zh, price], p) => {
      const names = [name, name_zh, category.name, category.name_zh]
      const facts = [Number(price), category.refunds, popularity[p] ?? 1, c + 1]
      return toRow([c * 100 + p + 101, ...names, ...facts])
    }),
  )
  const months = categories.flatMap((category, c) =>
    category.months.map((weight, month) => toRow([c + 1, month + 1, weight])),
  )
  return [
    `CREATE TABLE goods AS
      SELECT * REPLACE (list_price::DECIMAL(10, 2) AS list_price)
      FROM (VALUES ${rows}) AS goods(product_id, name, name_zh, category, category_zh,
        list_price, refunds, popularity, category_no)`,
    `CREATE TABLE products AS
      SELECT product_id, name, name_zh, category, category_zh, list_price
      FROM goods ORDER BY product_id`,
    `CREATE TABLE product_slots AS
      WITH months AS (FROM (VALUES ${months}) AS months(category_no, month, weight)),
      each AS (
        SELECT month, product_id, unnest(range(popularity * weight)) AS place
        FROM goods JOIN months USING (category_no))
      SELECT month, product_id,
        row_number() OVER (PARTITION BY month ORDER BY product_id, place) - 1 AS slot
      FROM each`,
  ]
}

/** Each day with how many orders it has, and how many were before it. */
function days({ days, orders, until }: RetailPlan): string {
  const promotion = promotions.map(
    ({ from, to, weight }) =>
      `WHEN strftime(day, '%m-%d') BETWEEN '${from}' AND '${to}' THEN ${weight}`,
  )
  return `CREATE TABLE days AS
    WITH calendar AS (
      SELECT day_no, DATE '${until}' - ${days - 1} + day_no::INTEGER AS day
      FROM range(${days}) AS numbers(day_no)),
    weighed AS (
      SELECT *, month(day) AS month, CASE ${promotion.join('\n        ')} ELSE 100 END AS peak,
        ([${monthWeights}])[month] * ([${weekdayWeights}])[isodow(day)] * peak
          * (1000 + 260 * day_no // ${days}) * (94 + chance(day_no, 'day', 13)) AS weight
      FROM calendar),
    summed AS (
      SELECT *, sum(weight) OVER (ORDER BY day_no) AS until_now, sum(weight) OVER () AS total
      FROM weighed)
    SELECT day_no, day, month, peak > 100 AS is_promotion,
      (${orders} * (until_now - weight) // total)::BIGINT AS before,
      (${orders} * until_now // total)::BIGINT - before AS orders,
      (SELECT count(*) FROM region_slots WHERE period = day_no // 31) AS region_count,
      (SELECT count(*) FROM product_slots WHERE month = summed.month) AS product_count
    FROM summed`
}

/** Three in five were customers before the first day; the others join one after the other. */
function customers({ days, until }: RetailPlan): string {
  return `CREATE TABLE all_customers AS
    WITH each AS (
      SELECT region_id, customers, unnest(range(customers)) AS place FROM places),
    numbered AS (
      SELECT *, row_number() OVER (ORDER BY region_id, place) AS number,
        (10 * ${days} * (place + 1) + customers - 1) // customers - 6 * ${days} AS late
      FROM each)
    SELECT region_id, place, 'C' || lpad(number::VARCHAR, 6, '0') AS customer_id,
      CASE ${toShares(segments)} END AS segment,
      CASE segment ${toCases(segments.map(({ name, name_zh }) => [name, name_zh]))} END
        AS segment_zh,
      DATE '${until}' - ${days - 1} + (CASE WHEN late > 0 THEN (late + 3) // 4 - 1
        ELSE -1 - chance(number, 'joined', 730) END)::INTEGER AS joined_on
    FROM (SELECT *, chance(number, 'segment', 100) AS drawn FROM numbered)`
}

function orders({ days }: RetailPlan): string {
  const hours = hourWeights.flatMap((weight, hour) => Array.from({ length: weight }, () => hour))
  const quantities = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 5]
  const usual = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 10, 10, 10, 15, 20]
  const promoted = [0, 5, 10, 10, 10, 15, 15, 20, 20, 30]
  return `CREATE TABLE orders AS
    WITH each AS (
      SELECT *, before + unnest(range(orders)) AS n FROM days),
    drawn AS (
      SELECT each.*, region_id, product_id,
        day + to_hours(([${hours}])[1 + chance(n, 'hour', ${hours.length})])
          + to_seconds(chance(n, 'second', 3600)) AS ordered_at,
        chance(n, 'buyer', 65536) AS luck,
        chance(n, 'channel', 100) AS drawn,
        CASE ${toShares(channels)} END AS channel
      FROM each
      JOIN region_slots AS r ON r.period = day_no // 31
        AND r.slot = chance(n, 'region', region_count)
      JOIN product_slots AS p ON p.month = each.month
        AND p.slot = chance(n, 'product', product_count)),
    sold AS (
      SELECT drawn.*, customer_id, list_price AS unit_price,
        ([${quantities}])[1 + chance(n, 'quantity', ${quantities.length})]
          + CASE segment WHEN 'business' THEN 1 + chance(n, 'more', 4) ELSE 0 END AS quantity,
        CASE WHEN is_promotion THEN ([${promoted}])[1 + chance(n, 'discount', 10)]
          ELSE ([${usual}])[1 + chance(n, 'discount', 20)] END AS percent,
        chance(n, 'status', 1000) AS fate,
        20 + goods.refunds + places.refunds + CASE WHEN is_promotion THEN 20 ELSE 0 END
          - CASE channel WHEN 'store' THEN 12 ELSE 0 END AS lost
      FROM drawn
      JOIN places USING (region_id)
      JOIN goods USING (product_id)
      JOIN all_customers AS c ON c.region_id = drawn.region_id
        AND c.place = (places.customers * (6 * ${days} + 4 * (day_no + 1)) // (10 * ${days}))
          * ((3 * luck * luck // 65536 + luck) // 4) // 65536)
    SELECT row_number() OVER (ORDER BY ordered_at, n) AS order_id,
      ordered_at::TIMESTAMP AS ordered_at, customer_id, product_id, region_id,
      quantity::INTEGER AS quantity, unit_price,
      (percent / 100)::DECIMAL(4, 2) AS discount,
      (quantity * unit_price * (1 - discount))::DECIMAL(12, 2) AS amount,
      CASE WHEN fate < 20 THEN 'cancelled' WHEN fate < lost THEN 'refunded' ELSE 'paid' END
        AS status,
      channel
    FROM sold ORDER BY order_id`
}

/** Branches of a CASE by `drawn`, from 0 below 100. */
function toShares(shares: readonly { name: string; weight: number }[]): string {
  let sum = 0
  return shares
    .map(({ name, weight }) => {
      sum += weight
      return `WHEN drawn < ${sum} THEN ${toLiteral(name)}`
    })
    .join(' ')
}

function toCases(cases: readonly (readonly [string, string])[]): string {
  return cases.map(([from, to]) => `WHEN ${toLiteral(from)} THEN ${toLiteral(to)}`).join(' ')
}

function toRow(values: readonly (string | number)[]): string {
  return `(${values.map(toLiteral).join(', ')})`
}

function toLiteral(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
