import { lastMonth, orderMonth, ordersOfSpan, spanMonth, thisMonth } from './periods.ts'
import type { Topic } from './topic.ts'

export const salesTopics: readonly Topic[] = [
  {
    topic: 'revenue-by-region-last-month',
    en: [
      'Revenue by region last month',
      'Sales by region last month',
      'How much did each region sell last month?',
      'Which region had the highest revenue last month?',
    ],
    zh: [
      '上个月各地区的销售额是多少？',
      '上月各区域销售额',
      '上个月哪个地区销售额最高？',
      '各大区上月卖了多少钱？',
    ],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.regionName} AS ${w.region}, sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
JOIN regions AS r USING (region_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'revenue-last-month',
    en: [
      'What was the revenue last month?',
      'Total sales last month',
      'How much did we sell last month?',
      'Revenue last month compared with the month before',
    ],
    zh: [
      '上个月的销售额是多少？',
      '上月总销售额',
      '上个月一共卖了多少钱？',
      '上月销售额比前一个月如何？',
    ],
    sql: (w) => `WITH months AS (
  SELECT date_trunc('month', ordered_at) AS first_day, sum(amount) AS revenue
  FROM orders
  WHERE status = 'paid'
  GROUP BY ALL),
compared AS (
  SELECT *, lag(revenue) OVER (ORDER BY first_day) AS previous FROM months)
SELECT ${spanMonth} AS ${w.month}, revenue AS ${w.revenue}, previous AS ${w.previousRevenue},
  round(revenue / previous - 1, 4) AS ${w.change}
FROM compared
WHERE first_day = (SELECT date_trunc('month', max(ordered_at)) - INTERVAL 1 MONTH FROM orders)`,
  },
  {
    topic: 'revenue-this-month',
    en: [
      'What is the revenue this month so far?',
      'Sales this month',
      'Month to date revenue',
      'How much have we sold this month?',
    ],
    zh: ['本月到目前为止的销售额是多少？', '这个月的销售额', '本月累计销售额', '当月卖了多少钱？'],
    sql: (w) => `${thisMonth}
SELECT ${spanMonth} AS ${w.month}, last_at::DATE AS ${w.lastDay}, sum(o.amount) AS ${w.revenue}
FROM span
JOIN orders AS o ON o.ordered_at >= first_day
WHERE o.status = 'paid'
GROUP BY ALL`,
  },
  {
    topic: 'revenue-total',
    en: [
      'What is the total revenue of the whole year?',
      'Total revenue over the last 12 months',
      'Annual sales',
      'How much did we sell in the past year?',
    ],
    zh: [
      '全年总销售额是多少？',
      '最近 12 个月的总销售额',
      '过去一年一共卖了多少钱？',
      '年度销售额',
    ],
    sql: (
      w,
    ) => `SELECT min(ordered_at)::DATE AS ${w.firstDay}, max(ordered_at)::DATE AS ${w.lastDay},
  sum(amount) AS ${w.revenue}, count(*) AS ${w.orders}
FROM orders
WHERE status = 'paid'`,
  },
  {
    topic: 'revenue-by-region',
    en: [
      'Revenue by region over the whole year',
      'Total sales by region',
      'Which region sells the most in the year?',
      'Share of each region in annual revenue',
    ],
    zh: [
      '全年各地区销售额',
      '各区域的总销售额',
      '过去一年哪个地区卖得最多？',
      '各地区年度销售额占比',
    ],
    sql: (w) => `SELECT ${w.regionName} AS ${w.region}, sum(o.amount) AS ${w.revenue},
  round(sum(o.amount) / sum(sum(o.amount)) OVER (), 4) AS ${w.share}
FROM orders AS o
JOIN regions AS r USING (region_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'revenue-by-month',
    en: [
      'Revenue by month',
      'Monthly sales trend',
      'How did revenue develop month by month?',
      'Show sales for each month',
    ],
    zh: ['每个月的销售额', '月度销售额趋势', '各月销售额变化', '按月统计销售额'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month}, sum(o.amount) AS ${w.revenue}
FROM orders AS o
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.month}`,
  },
  {
    topic: 'revenue-growth-by-month',
    en: [
      'Month-over-month revenue growth',
      'Sales growth rate by month',
      'How fast does revenue grow each month?',
    ],
    zh: ['销售额的环比增长率', '每月销售额环比', '各月销售额增长率'],
    sql: (w) => `WITH months AS (
  SELECT ${orderMonth} AS month, sum(o.amount) AS revenue
  FROM orders AS o
  WHERE o.status = 'paid'
  GROUP BY ALL)
SELECT month AS ${w.month}, revenue AS ${w.revenue},
  round(revenue / lag(revenue) OVER (ORDER BY month) - 1, 4) AS ${w.change}
FROM months
ORDER BY month`,
  },
  {
    topic: 'revenue-by-day-last-month',
    en: [
      'Daily revenue last month',
      'Sales by day last month',
      'Revenue for each day of last month',
      'Daily sales trend last month',
    ],
    zh: ['上个月每天的销售额', '上月每日销售额', '上个月的日销售额趋势', '按天看上个月的销售额'],
    sql: (w) => `${lastMonth}
SELECT o.ordered_at::DATE AS ${w.day}, sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.day}`,
  },
  {
    topic: 'revenue-by-quarter',
    en: ['Revenue by quarter', 'Quarterly sales', 'How much did we sell in each quarter?'],
    zh: ['各季度的销售额', '按季度统计销售额', '每个季度卖了多少钱？'],
    sql: (w) => `SELECT year(ordered_at) || '-Q' || quarter(ordered_at) AS ${w.quarter},
  sum(amount) AS ${w.revenue}
FROM orders
WHERE status = 'paid'
GROUP BY ALL
ORDER BY ${w.quarter}`,
  },
  {
    topic: 'revenue-by-weekday',
    en: [
      'Revenue by day of the week',
      'On which weekday do we sell the most?',
      'Sales by weekday',
      'Which weekdays bring the most revenue?',
    ],
    zh: ['一周中每天的销售额', '按星期几统计销售额', '星期几的销售额最高？', '周几卖得最好？'],
    sql: (w) => `SELECT isodow(ordered_at) AS ${w.weekday}, sum(amount) AS ${w.revenue},
  count(*) AS ${w.orders}
FROM orders
WHERE status = 'paid'
GROUP BY ALL
ORDER BY ${w.weekday}`,
  },
  {
    topic: 'revenue-by-channel-last-month',
    en: [
      'Revenue by channel last month',
      'Sales by channel last month',
      'Which channel sold the most last month?',
    ],
    zh: ['上个月各渠道的销售额', '上月分渠道销售额', '上个月哪个渠道卖得最多？'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, o.channel AS ${w.channel}, sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'revenue-by-channel',
    en: [
      'Revenue by channel over the whole year',
      'Total sales by channel',
      'Share of each channel in annual revenue',
    ],
    zh: ['全年各渠道的销售额', '各渠道总销售额', '各渠道年度销售额占比'],
    sql: (w) => `SELECT channel AS ${w.channel}, sum(amount) AS ${w.revenue},
  round(sum(amount) / sum(sum(amount)) OVER (), 4) AS ${w.share}
FROM orders
WHERE status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'revenue-by-month-and-region',
    en: [
      'Revenue by month and region',
      'Monthly sales of each region',
      'Revenue trend by region',
      'How do sales develop in each region by month?',
    ],
    zh: ['各地区每个月的销售额', '各区域月度销售额', '各地区销售额趋势', '按月份和地区统计销售额'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month}, ${w.regionName} AS ${w.region},
  sum(o.amount) AS ${w.revenue}
FROM orders AS o
JOIN regions AS r USING (region_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.month}, ${w.region}`,
  },
  {
    topic: 'revenue-growth-by-region-last-month',
    en: [
      'Revenue growth by region last month',
      'Which region grew the fastest last month?',
      'Sales growth of each region last month',
    ],
    zh: ['上个月各地区销售额增长率', '上个月哪个地区增长最快？', '各区域上月销售额环比增长'],
    sql: (w) => `WITH months AS (
  SELECT date_trunc('month', o.ordered_at) AS first_day, ${w.regionName} AS region,
    sum(o.amount) AS revenue
  FROM orders AS o
  JOIN regions AS r USING (region_id)
  WHERE o.status = 'paid'
  GROUP BY ALL),
compared AS (
  SELECT *, lag(revenue) OVER (PARTITION BY region ORDER BY first_day) AS previous FROM months)
SELECT ${spanMonth} AS ${w.month}, region AS ${w.region}, revenue AS ${w.revenue},
  previous AS ${w.previousRevenue}, round(revenue / previous - 1, 4) AS ${w.change}
FROM compared
WHERE first_day = (SELECT date_trunc('month', max(ordered_at)) - INTERVAL 1 MONTH FROM orders)
ORDER BY ${w.change} DESC`,
  },
  {
    topic: 'best-days',
    en: [
      'Top 10 days by revenue',
      'Which 10 days had the highest revenue?',
      'The ten best sales days',
    ],
    zh: ['销售额最高的 10 天', '哪十天卖得最好？', '单日销售额前十'],
    sql: (w) => `SELECT ordered_at::DATE AS ${w.day}, sum(amount) AS ${w.revenue}
FROM orders
WHERE status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC
LIMIT 10`,
  },
]
