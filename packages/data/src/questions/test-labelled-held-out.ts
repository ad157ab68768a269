/**
 * Sentences that were written when the rules were done. When first read, precision was 0.969 and
 * recall 0.9.
 */
export const heldOutSentences = `
# en
revenue-by-region-last-month | Hi, could I see how much was sold in every region last month?
revenue-by-region-last-month | region revenue previous month
revenue-by-region-last-month | ranking of regions by sales last month
revenue-last-month | tell me the sales of the previous month
revenue-last-month | Last month's total income
revenue-this-month | what have we earned this month?
revenue-total | sum of all sales in the past 12 months
revenue-by-region | full year sales per region
revenue-by-month | I want to see how sales changed each month
revenue-by-month | revenue per month as a line chart
revenue-growth-by-month | what is the month on month growth in sales
revenue-by-day-last-month | sales per day for the previous month
revenue-by-quarter | revenue for every quarter
revenue-by-weekday | best weekday for sales
revenue-by-channel-last-month | how much did every channel sell last month?
revenue-by-channel | channel split of annual sales
revenue-by-month-and-region | sales for each region and month
revenue-growth-by-region-last-month | region growth last month
best-days | 10 days with the most sales
orders-last-month | orders in the previous month
orders-by-month | order volume by month
orders-by-hour | when during the day do people order?
orders-by-status-last-month | status of last month's orders
average-order-value-last-month | average basket last month
refund-rate-last-month | what percentage of orders was refunded last month?
refund-rate-by-category | refund rates of product categories
refund-rate-by-region-last-month | regions with the highest return rate last month
top-products-last-month | what sold best last month? top 10 products
slowest-products-last-month | ten worst selling products last month
revenue-by-category-last-month | product category sales last month
revenue-by-category | yearly sales by category
discounts-by-month | how much did we discount per month?
active-customers-by-month | customers active in each month
repeat-rate-last-month | how many customers came back last month?
customers-by-region | where are our customers? by region
nothing | sales by region in Q3
nothing | sales by region last 30 days
nothing | gross profit last month
nothing | sales by postcode last month
nothing | last month's sales by region for businesses
nothing | how much did Central sell last month?
nothing | top 50 customers
nothing | should we worry about the refund rate?
nothing | expected revenue for this month
nothing | where does the revenue figure come from?
nothing | see you tomorrow
nothing | summarise this document
nothing | add a new region
nothing | number of regions
nothing | average refund amount by category
nothing | share of app orders last month
nothing | customers who only bought once
nothing | revenue from repeat customers last month
nothing | orders per customer last month
nothing | quantity sold by region last month
nothing | discount rate by channel
nothing | revenue lost to cancellations
nothing | busiest region today
nothing | sales tax last month
nothing | how many new customers came last month from the app?
nothing | price of the tablet
nothing | products without orders
nothing | refund rate of Clothing
nothing | hourly revenue yesterday
nothing | schedule a monthly revenue report
# zh
revenue-by-region-last-month | 上个月各个区域的业绩排名
revenue-by-region-last-month | 麻烦给我上月每个大区的销售额，谢谢
revenue-by-region-last-month | 上个月地区销售情况
revenue-last-month | 查一下上个月总的销售额
revenue-last-month | 上月收入多少钱
revenue-this-month | 当月营收
revenue-total | 过去12个月总营收
revenue-by-region | 按区域统计全年营业额
revenue-by-month | 各月份的营业额分别是多少
revenue-by-month | 给我一个月度销售额的图表
revenue-growth-by-month | 月度营收增长率
revenue-by-day-last-month | 上个月每一天的销售额是多少
revenue-by-quarter | 各个季度营业额
revenue-by-weekday | 一周里哪天卖得最多
revenue-by-channel-last-month | 上月各销售渠道的销售额
revenue-by-channel | 全年哪个渠道销售额最高
revenue-by-month-and-region | 按地区看每月销售额
revenue-growth-by-region-last-month | 上月各地区营业额增速
best-days | 销售额最高的十天是哪些
orders-last-month | 上月的订单总量
orders-by-month | 订单数月度趋势
orders-by-hour | 不同时段的订单量
orders-by-status-last-month | 上个月不同状态的订单有多少
average-order-value-last-month | 上个月平均客单价
refund-rate-last-month | 上个月退货率多少
refund-rate-by-category | 各个类目的退款率
refund-rate-by-region-last-month | 上月哪个大区退货率最高
top-products-last-month | 上月卖得最好的10个商品
slowest-products-last-month | 上月销售额最差的十个商品
revenue-by-category-last-month | 上月哪个类目销售额最高
revenue-by-category | 全年各类商品的销售额
discounts-by-month | 每月折扣让利金额
active-customers-by-month | 各月活跃客户数量
repeat-rate-last-month | 上个月的客户复购情况
customers-by-region | 客户在各地区的分布
nothing | 第三季度各区域销售额
nothing | 最近 30 天各地区销售额
nothing | 上个月的毛利润
nothing | 上个月各省的销售额
nothing | 企业客户上个月在各地区的销售额
nothing | 华中上个月卖了多少钱
nothing | 前五十大客户
nothing | 退款率是不是太高了
nothing | 本月预计销售额
nothing | 销售额的数据从哪里来
nothing | 明天见
nothing | 总结一下这份文档
nothing | 新增一个地区
nothing | 一共有几个地区
nothing | 各品类平均退款金额
nothing | 上个月应用订单的占比
nothing | 只买过一次的客户
nothing | 上个月老客户的销售额
nothing | 上个月每个客户的订单数
nothing | 上个月各地区的销量
nothing | 各渠道的折扣率
nothing | 取消订单损失了多少销售额
nothing | 今天哪个地区最忙
nothing | 上个月的销售税
nothing | 上个月从应用来的新客户有多少
nothing | 平板电脑的价格
nothing | 没有订单的商品
nothing | 服装的退款率
nothing | 昨天每小时的销售额
nothing | 每月定时发送销售额报告
`
