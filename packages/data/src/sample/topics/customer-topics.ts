import { lastMonth, orderMonth, ordersOfSpan, spanMonth } from './periods.ts'
import type { Topic } from './topic.ts'

export const customerTopics: readonly Topic[] = [
  {
    topic: 'active-customers-by-month',
    en: [
      'Active customers by month',
      'How many customers buy each month?',
      'Monthly active customers',
    ],
    zh: ['每个月的活跃客户数', '月度活跃客户', '各月有多少客户下单？'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month},
  count(DISTINCT o.customer_id) AS ${w.activeCustomers}
FROM orders AS o
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.month}`,
  },
  {
    topic: 'active-customers-last-month',
    en: [
      'How many active customers were there last month?',
      'Number of customers who bought last month',
    ],
    zh: ['上个月有多少活跃客户？', '上月活跃用户数'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, count(DISTINCT o.customer_id) AS ${w.activeCustomers}
${ordersOfSpan}
WHERE o.status = 'paid'
GROUP BY ALL`,
  },
  {
    topic: 'new-customers-by-month',
    en: [
      'New customers by month',
      'How many customers joined each month?',
      'Monthly new customers',
    ],
    zh: ['每个月的新客户数', '月度新增客户', '各月新增了多少客户？'],
    sql: (w) => `SELECT strftime(joined_on, '%Y-%m') AS ${w.month}, count(*) AS ${w.newCustomers}
FROM customers
WHERE joined_on >= (SELECT min(ordered_at)::DATE FROM orders)
GROUP BY ALL
ORDER BY ${w.month}`,
  },
  {
    topic: 'top-customers',
    en: [
      'Top 10 customers by revenue',
      'Which 10 customers spent the most?',
      'Our ten biggest customers',
    ],
    zh: ['消费最高的 10 个客户', '销售额前十的客户', '哪十个客户花钱最多？', '前十大客户'],
    sql: (w) => `SELECT o.customer_id AS ${w.customer}, ${w.segmentName} AS ${w.segment},
  sum(o.amount) AS ${w.revenue}, count(*) AS ${w.orders}
FROM orders AS o
JOIN customers AS c USING (customer_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC
LIMIT 10`,
  },
  {
    topic: 'revenue-by-segment',
    en: [
      'Revenue by customer segment',
      'Sales by segment',
      'How much does each customer segment buy?',
    ],
    zh: ['各客户类型的销售额', '不同客群的销售额', '按客户类型统计销售额'],
    sql: (w) => `SELECT ${w.segmentName} AS ${w.segment}, sum(o.amount) AS ${w.revenue},
  count(DISTINCT o.customer_id) AS ${w.customers}
FROM orders AS o
JOIN customers AS c USING (customer_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'repeat-rate-last-month',
    en: [
      'Repeat purchase rate last month',
      'How many customers bought more than once last month?',
      'Share of repeat customers last month',
    ],
    zh: ['上个月的复购率', '上月回头客占比', '上个月有多少客户重复购买？'],
    sql: (w) => `${lastMonth},
buyers AS (
  SELECT first_day, o.customer_id, count(*) AS orders
  ${ordersOfSpan}
  WHERE o.status = 'paid'
  GROUP BY ALL)
SELECT ${spanMonth} AS ${w.month}, count(*) AS ${w.activeCustomers},
  round(count(*) FILTER (orders > 1) / count(*), 4) AS ${w.repeatRate}
FROM buyers
GROUP BY ALL`,
  },
  {
    topic: 'customers-by-region',
    en: [
      'Number of customers by region',
      'How many customers does each region have?',
      'Customers per region',
    ],
    zh: ['各地区的客户数', '每个区域有多少客户？', '客户的地区分布'],
    sql: (w) => `SELECT ${w.regionName} AS ${w.region}, count(*) AS ${w.customers}
FROM customers
JOIN regions AS r USING (region_id)
GROUP BY ALL
ORDER BY ${w.customers} DESC`,
  },
]
