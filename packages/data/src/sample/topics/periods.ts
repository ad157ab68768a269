/** The month before that of the last order: `first_day` and the day after its last one. */
export const lastMonth = `WITH span AS (
  SELECT date_trunc('month', max(ordered_at)) - INTERVAL 1 MONTH AS first_day,
    date_trunc('month', max(ordered_at)) AS next_day
  FROM orders)`

/** The month of the last order, so far. */
export const thisMonth = `WITH span AS (
  SELECT date_trunc('month', max(ordered_at)) AS first_day, max(ordered_at) AS last_at
  FROM orders)`

export const ordersOfSpan = `FROM span
JOIN orders AS o ON o.ordered_at >= first_day AND o.ordered_at < next_day`

export const spanMonth = "strftime(first_day, '%Y-%m')"

export const orderMonth = "strftime(o.ordered_at, '%Y-%m')"
