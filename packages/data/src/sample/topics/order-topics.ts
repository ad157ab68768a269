import { lastMonth, orderMonth, ordersOfSpan, spanMonth } from './periods.ts'
import type { Topic } from './topic.ts'

export const orderTopics: readonly Topic[] = [
  {
    topic: 'orders-last-month',
    en: [
      'How many orders were there last month?',
      'Number of orders last month',
      'Order count last month',
    ],
    zh: ['上个月有多少订单？', '上月订单数', '上个月的订单量是多少？'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, count(*) AS ${w.orders}
${ordersOfSpan}
WHERE o.status <> 'cancelled'
GROUP BY ALL`,
  },
  {
    topic: 'orders-by-month',
    en: [
      'Number of orders by month',
      'Monthly order count',
      'How many orders are there each month?',
    ],
    zh: ['每个月的订单数', '月度订单量', '按月统计订单数', '各月订单量趋势'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month}, count(*) AS ${w.orders}
FROM orders AS o
WHERE o.status <> 'cancelled'
GROUP BY ALL
ORDER BY ${w.month}`,
  },
  {
    topic: 'orders-by-hour',
    en: [
      'Number of orders by hour of the day',
      'At which hour do customers order the most?',
      'Orders by hour',
    ],
    zh: ['一天中每小时的订单数', '按小时统计订单量', '几点钟下单最多？', '各时段订单数'],
    sql: (w) => `SELECT hour(ordered_at) AS ${w.hour}, count(*) AS ${w.orders}
FROM orders
WHERE status <> 'cancelled'
GROUP BY ALL
ORDER BY ${w.hour}`,
  },
  {
    topic: 'orders-by-status-last-month',
    en: [
      'Orders by status last month',
      'How many orders were paid, refunded and cancelled last month?',
      'Order status breakdown last month',
    ],
    zh: [
      '上个月各状态的订单数',
      '上月已付款、已退款和已取消的订单各有多少？',
      '上个月订单状态分布',
    ],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, o.status AS ${w.status}, count(*) AS ${w.orders},
  sum(o.amount) AS ${w.amount}
${ordersOfSpan}
GROUP BY ALL
ORDER BY ${w.orders} DESC`,
  },
  {
    topic: 'average-order-value-last-month',
    en: [
      'What was the average order value last month?',
      'AOV last month',
      'Average amount of an order last month',
    ],
    zh: ['上个月的客单价是多少？', '上月平均每单金额', '上个月平均订单金额'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, round(avg(o.amount), 2) AS ${w.averageOrderValue},
  count(*) AS ${w.orders}
${ordersOfSpan}
WHERE o.status = 'paid'
GROUP BY ALL`,
  },
  {
    topic: 'average-order-value-by-month',
    en: ['Average order value by month', 'Monthly AOV', 'Trend of the average order value'],
    zh: ['每个月的客单价', '月度客单价趋势', '各月平均订单金额'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month},
  round(avg(o.amount), 2) AS ${w.averageOrderValue}
FROM orders AS o
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.month}`,
  },
  {
    topic: 'average-order-value-by-region',
    en: [
      'Average order value by region',
      'AOV of each region',
      'Which region has the highest average order value?',
    ],
    zh: ['各地区的客单价', '哪个地区客单价最高？', '各区域平均订单金额'],
    sql: (w) => `SELECT ${w.regionName} AS ${w.region},
  round(avg(o.amount), 2) AS ${w.averageOrderValue}, count(*) AS ${w.orders}
FROM orders AS o
JOIN regions AS r USING (region_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.averageOrderValue} DESC`,
  },
  {
    topic: 'refund-rate-by-month',
    en: ['Refund rate by month', 'Monthly refund rate', 'How does the refund rate develop?'],
    zh: ['每个月的退款率', '月度退款率趋势', '各月退款率'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month},
  round(count(*) FILTER (o.status = 'refunded') / count(*), 4) AS ${w.refundRate}
FROM orders AS o
WHERE o.status <> 'cancelled'
GROUP BY ALL
ORDER BY ${w.month}`,
  },
  {
    topic: 'refund-rate-last-month',
    en: ['What was the refund rate last month?', 'Share of refunded orders last month'],
    zh: ['上个月的退款率是多少？', '上月退款订单占比'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month},
  round(count(*) FILTER (o.status = 'refunded') / count(*), 4) AS ${w.refundRate},
  count(*) FILTER (o.status = 'refunded') AS ${w.refundedOrders}
${ordersOfSpan}
WHERE o.status <> 'cancelled'
GROUP BY ALL`,
  },
  {
    topic: 'refund-rate-by-category',
    en: [
      'Refund rate by category',
      'Which category is returned the most?',
      'Return rate of each product category',
      'Which category gets refunded most often?',
    ],
    zh: ['各品类的退款率', '哪个品类退款率最高？', '各类商品的退货率', '什么品类最容易退货？'],
    sql: (w) => `SELECT ${w.categoryName} AS ${w.category},
  round(count(*) FILTER (o.status = 'refunded') / count(*), 4) AS ${w.refundRate},
  count(*) FILTER (o.status = 'refunded') AS ${w.refundedOrders}
FROM orders AS o
JOIN products AS p USING (product_id)
WHERE o.status <> 'cancelled'
GROUP BY ALL
ORDER BY ${w.refundRate} DESC`,
  },
  {
    topic: 'refund-rate-by-region-last-month',
    en: [
      'Refund rate by region last month',
      'Which region had the highest refund rate last month?',
      'Return rate of each region last month',
    ],
    zh: ['上个月各地区的退款率', '上个月哪个地区退款率最高？', '各区域上月退货率'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.regionName} AS ${w.region},
  round(count(*) FILTER (o.status = 'refunded') / count(*), 4) AS ${w.refundRate}
${ordersOfSpan}
JOIN regions AS r USING (region_id)
WHERE o.status <> 'cancelled'
GROUP BY ALL
ORDER BY ${w.refundRate} DESC`,
  },
  {
    topic: 'refunded-amount-last-month',
    en: [
      'How much was refunded last month?',
      'Refunded amount last month',
      'Value of refunds last month',
    ],
    zh: ['上个月退款金额是多少？', '上月退了多少钱？', '上个月的退款总额'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, sum(o.amount) AS ${w.refundedAmount},
  count(*) AS ${w.refundedOrders}
${ordersOfSpan}
WHERE o.status = 'refunded'
GROUP BY ALL`,
  },
  {
    topic: 'cancellation-rate-by-channel',
    en: [
      'Cancellation rate by channel',
      'Which channel has the most cancelled orders?',
      'Share of cancelled orders by channel',
      'Where do orders get cancelled most often, by channel?',
    ],
    zh: ['各渠道的取消率', '哪个渠道取消的订单最多？', '各渠道订单取消占比'],
    sql: (w) => `SELECT channel AS ${w.channel},
  round(count(*) FILTER (status = 'cancelled') / count(*), 4) AS ${w.cancellationRate},
  count(*) FILTER (status = 'cancelled') AS ${w.cancelledOrders}
FROM orders
GROUP BY ALL
ORDER BY ${w.cancellationRate} DESC`,
  },
]
