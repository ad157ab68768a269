import { lastMonth, orderMonth, ordersOfSpan, spanMonth } from './periods.ts'
import type { Topic } from './topic.ts'

export const productTopics: readonly Topic[] = [
  {
    topic: 'top-products-last-month',
    en: [
      'Top 10 products by revenue last month',
      'Which 10 products sold the most last month?',
      'Ten best-selling products last month',
    ],
    zh: ['上个月销售额最高的 10 个商品', '上月销售额前十的商品', '上个月最畅销的十个产品'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.productName} AS ${w.product}, sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC
LIMIT 10`,
  },
  {
    topic: 'top-products-by-quantity-last-month',
    en: [
      'Top 10 products by quantity last month',
      'Which 10 products sold the most pieces last month?',
      'Ten products with the most units sold last month',
    ],
    zh: ['上个月销量最高的 10 个商品', '上月销量前十的商品', '上个月卖出件数最多的十个产品'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.productName} AS ${w.product},
  sum(o.quantity) AS ${w.quantity}
${ordersOfSpan}
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.quantity} DESC, ${w.product}
LIMIT 10`,
  },
  {
    topic: 'slowest-products-last-month',
    en: [
      'The 10 products with the lowest revenue last month',
      'Bottom 10 products by revenue last month',
      'Which ten products sold the least last month?',
    ],
    zh: ['上个月销售额最低的 10 个商品', '上月销售额倒数十名的商品', '上个月卖得最差的十个产品'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.productName} AS ${w.product}, sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue}
LIMIT 10`,
  },
  {
    topic: 'revenue-by-category-last-month',
    en: [
      'Revenue by category last month',
      'Sales by product category last month',
      'Which category sold the most last month?',
    ],
    zh: ['上个月各品类的销售额', '上月各类商品销售额', '上个月哪个品类卖得最多？'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.categoryName} AS ${w.category},
  sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'revenue-by-category',
    en: [
      'Revenue by category over the whole year',
      'Total sales by category',
      'Share of each category in annual revenue',
    ],
    zh: ['全年各品类的销售额', '各品类总销售额', '各品类年度销售额占比'],
    sql: (w) => `SELECT ${w.categoryName} AS ${w.category}, sum(o.amount) AS ${w.revenue},
  round(sum(o.amount) / sum(sum(o.amount)) OVER (), 4) AS ${w.share}
FROM orders AS o
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.revenue} DESC`,
  },
  {
    topic: 'revenue-by-month-and-category',
    en: [
      'Revenue by month and category',
      'Monthly sales of each category',
      'Revenue trend by category',
    ],
    zh: ['各品类每个月的销售额', '各品类月度销售额', '各品类销售额趋势'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month}, ${w.categoryName} AS ${w.category},
  sum(o.amount) AS ${w.revenue}
FROM orders AS o
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.month}, ${w.category}`,
  },
  {
    topic: 'revenue-by-region-and-category-last-month',
    en: [
      'Revenue by region and category last month',
      'Sales of each category in each region last month',
    ],
    zh: ['上个月各地区各品类的销售额', '上月按地区和品类统计销售额'],
    sql: (w) => `${lastMonth}
SELECT ${spanMonth} AS ${w.month}, ${w.regionName} AS ${w.region},
  ${w.categoryName} AS ${w.category}, sum(o.amount) AS ${w.revenue}
${ordersOfSpan}
JOIN regions AS r USING (region_id)
JOIN products AS p USING (product_id)
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.region}, ${w.revenue} DESC`,
  },
  {
    topic: 'discounts-by-month',
    en: [
      'Discounts given by month',
      'How much discount do we give each month?',
      'Monthly discount amount',
    ],
    zh: ['每个月的优惠金额', '月度折扣金额', '各月打折让利了多少？'],
    sql: (w) => `SELECT ${orderMonth} AS ${w.month},
  sum(o.quantity * o.unit_price - o.amount) AS ${w.discounts},
  round(avg(o.discount), 4) AS ${w.share}
FROM orders AS o
WHERE o.status = 'paid'
GROUP BY ALL
ORDER BY ${w.month}`,
  },
]
