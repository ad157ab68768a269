/**
 * Sentences on which the rules were tuned: what they mean, or `nothing` where no question of the
 * sample has that answer.
 */
export const tunedSentences = `
# en
revenue-by-region-last-month | sales by region last month
revenue-by-region-last-month | Show me last month's revenue per region, please
revenue-by-region-last-month | What were the sales in each region last month?
revenue-by-region-last-month | regional turnover last month
revenue-by-region | sales by region
revenue-last-month | how much revenue did we make last month
revenue-last-month | last month's turnover?
revenue-this-month | what are our sales so far this month?
revenue-this-month | revenue MTD
revenue-total | total turnover for the past year
revenue-by-region | annual revenue by region
revenue-by-month | Please give me sales per month
revenue-by-month | chart the monthly revenue
revenue-growth-by-month | MoM revenue growth
revenue-by-day-last-month | revenue per day last month
revenue-by-quarter | what was our revenue per quarter?
revenue-by-weekday | revenue per weekday
revenue-by-channel-last-month | last month's sales per channel
revenue-by-channel | annual turnover by channel
revenue-by-month-and-region | revenue per region per month
revenue-growth-by-region-last-month | which region had the strongest revenue growth last month
best-days | what were our 10 best days by sales
orders-last-month | how many orders did we get last month
orders-by-month | orders per month
orders-by-hour | order count per hour of day
average-order-value-last-month | last month's average order value
average-order-value-by-region | avg order value per region
refund-rate-by-month | show the refund rate for each month
refund-rate-by-category | which product category has the highest refund rate?
refunded-amount-last-month | total refund amount last month
top-products-last-month | top ten products last month by sales
top-products-by-quantity-last-month | 10 products with the highest quantity sold last month
revenue-by-category-last-month | turnover per category last month
active-customers-by-month | number of active customers per month
new-customers-by-month | how many new customers do we get each month?
top-customers | who are the top 10 customers
revenue-by-segment | revenue per customer segment
customers-by-region | how many customers are there in each region
nothing | sales by region last week
nothing | revenue by region yesterday
nothing | profit by region last month
nothing | sales by city last month
nothing | sales by region last month without the East
nothing | sales in East last month
nothing | top 5 products last month
nothing | why did revenue fall last month?
nothing | forecast the revenue of next month
nothing | What does revenue mean?
nothing | which tables are there?
nothing | hello
nothing | thanks, that helps
nothing | write an email about last month's revenue
nothing | delete the orders of last month
nothing | what is the weather like in Shanghai today?
nothing | refund rate by product last month
nothing | how many employees do we have in each region?
nothing | revenue by supplier
nothing | compare East and West last month
nothing | new customers by region last month
nothing | revenue in March
nothing | how many orders in 2024?
nothing | revenue by region and channel last month
nothing | sales of electronics last month
nothing | average delivery time last month
nothing | which region sold the least last month?
nothing | inventory by category
nothing | revenue last year
nothing | orders over 1,000 yuan last month
nothing | revenue from new customers last month
nothing | median order value last month
nothing | revenue
nothing | show me the data
nothing | how is the refund rate defined?
nothing | monthly revenue of the app channel
nothing | top 10 products by refund rate last month
nothing | does revenue by region last month include tax?
revenue-by-region-last-month | can you break down last month's sales by region?
revenue-by-region-last-month | I'd like to see revenue for every region last month
revenue-by-region-last-month | region wise sales last month
revenue-last-month | total revenue in the last month
revenue-last-month | how were sales last month?
revenue-this-month | current month sales
revenue-total | what did we sell over the last twelve months
revenue-by-month | sales trend by month
revenue-by-month | Month by month sales figures
revenue-growth-by-month | monthly growth of sales
revenue-by-day-last-month | last month daily turnover
revenue-by-quarter | quarterly turnover
revenue-by-weekday | which day of the week has the highest sales?
revenue-by-channel-last-month | which channel had the most sales last month
revenue-by-month-and-region | monthly revenue per region
best-days | top 10 sales days
orders-last-month | total number of orders last month
orders-by-month | how many orders do we have per month?
orders-by-hour | what is the busiest hour for orders?
orders-by-status-last-month | last month's orders by status
average-order-value-by-month | how does the AOV change by month
refund-rate-last-month | refund rate last month
refund-rate-by-region-last-month | refund rates per region for last month
refunded-amount-last-month | how much money did we refund last month
cancellation-rate-by-channel | cancellation rate of each channel
top-products-last-month | best selling products last month
slowest-products-last-month | worst 10 products by sales last month
revenue-by-category | annual revenue per category
revenue-by-month-and-category | sales by category and month
discounts-by-month | discount amount per month
active-customers-last-month | active customers last month
new-customers-by-month | new customers per month
repeat-rate-last-month | what's the repeat purchase rate for last month?
customers-by-region | customer count per region
nothing | sales by region last quarter
nothing | sales by region in the last 7 days
nothing | margin by category last month
nothing | sales by store last month
nothing | sales by region last month for members only
nothing | how did the Southwest do last month?
nothing | top 3 customers
nothing | what caused the drop in orders last month?
nothing | will revenue grow next month?
nothing | who maintains the revenue table?
nothing | good morning
nothing | can you translate this into German?
nothing | cancel the last order
nothing | how many suppliers do we have?
nothing | refund policy
nothing | what is the target revenue for last month?
nothing | which products were never sold last month?
nothing | revenue by age group
nothing | what share of last month's revenue came from discounts?
nothing | revenue per employee last month
nothing | orders on 11 November
nothing | tax by region last month
nothing | export last month's orders to Excel
nothing | is East bigger than South?
nothing | cheapest product
nothing | how old are our customers?
nothing | website visits per month
nothing | conversion rate by channel
nothing | remind me to check revenue next month
nothing | revenue by region last month in dollars
revenue-by-region-last-month | Could you tell me how the regions sold last month?
revenue-by-region-last-month | need regional sales for last month asap
revenue-by-region-last-month | LAST MONTH - REVENUE - BY REGION
revenue-by-region-last-month | Which regions earned the most last month?
revenue-last-month | what did we take in last month?
revenue-last-month | Overall sales, last month
revenue-this-month | how's revenue this month
revenue-this-month | how much was sold this month until now?
revenue-total | how much revenue in the whole year?
revenue-total | yearly revenue in total
revenue-by-region | which region has the biggest revenue over the year
revenue-by-month | revenue over time by month
revenue-by-month | plot sales against month
revenue-by-month | in which month were sales highest?
revenue-growth-by-month | growth of revenue from month to month
revenue-by-day-last-month | day by day sales of last month
revenue-by-quarter | split revenue by quarter
revenue-by-weekday | do we sell more on certain weekdays?
revenue-by-channel-last-month | channel performance last month in sales
revenue-by-channel | which channel sells most over the year?
revenue-by-month-and-region | regional sales trend
best-days | which were the ten strongest sales days
orders-last-month | count of orders last month
orders-by-month | monthly number of orders
orders-by-hour | how are orders distributed over the hours of the day?
average-order-value-last-month | what did an average order bring last month
average-order-value-by-month | average order value over the months
average-order-value-by-region | compare the average order value of the regions
refund-rate-by-month | how has our refund rate changed over the months
refund-rate-by-category | what categories get refunded most often
refunded-amount-last-month | money refunded last month
cancellation-rate-by-channel | where do orders get cancelled most, by channel?
top-products-last-month | list the top 10 selling products of last month
top-products-by-quantity-last-month | ten products by units last month
revenue-by-category-last-month | how did the categories sell last month?
revenue-by-region-and-category-last-month | last month sales by category and region
active-customers-last-month | how many customers were active last month
new-customers-by-month | customers gained each month
top-customers | ten customers with the highest revenue
revenue-by-segment | which customer segment spends the most?
nothing | sales by region two months ago
nothing | sales by region since September
nothing | average sales per region last month
nothing | revenue per customer by region last month
nothing | revenue by region last month, only app orders
nothing | last month's revenue in the North
nothing | top 20 products last month
nothing | which customers did not buy last month?
nothing | how can we raise revenue next month?
nothing | is the revenue of last month good?
nothing | show the SQL for revenue by region
nothing | what columns does orders have?
nothing | you are great
nothing | make a presentation about monthly revenue
nothing | update the region of customer C000001
nothing | how many products do we sell?
nothing | refund rate by weekday
nothing | cancelled orders by region last month
nothing | orders by hour last month
nothing | revenue by month for each customer segment
nothing | average discount by category
nothing | which region has the most products
nothing | number of customers by segment
nothing | revenue before discounts last month
nothing | monthly revenue excluding promotions
nothing | correlation of discount and quantity
nothing | revenue by price range
nothing | Black Friday sales
nothing | how many orders has customer C015842?
nothing | rank the regions by refund amount last month
nothing | list all orders of last month
nothing | year over year growth
nothing | what was revenue on the best day?
nothing | last order
nothing | top customers in the South
nothing | revenue by region and month for Clothing
nothing | how much stock is left?
nothing | orders waiting for payment
nothing | average number of orders per customer
nothing | first-time buyers last month
# zh
revenue-by-region-last-month | 上月各区域销售额?
revenue-by-region-last-month | 帮我看一下上个月每个地区的营业额
revenue-by-region-last-month | 上个月各大区营收情况怎么样
revenue-by-region-last-month | 请问上月分地区的销售收入是多少
revenue-by-region | 各地区销售额
revenue-last-month | 我们上个月营业额多少
revenue-last-month | 上月销售收入
revenue-this-month | 本月销售额
revenue-this-month | 这个月到现在卖了多少
revenue-total | 最近一年的总营业额
revenue-by-region | 各区域全年的营收
revenue-by-month | 每月销售额是多少
revenue-by-month | 画一下月度营业额趋势图
revenue-growth-by-month | 每个月的销售额环比增长率
revenue-by-day-last-month | 上个月每日营业额
revenue-by-quarter | 分季度的销售额
revenue-by-weekday | 按星期统计营业额
revenue-by-channel-last-month | 上个月各个渠道的营业额
revenue-by-channel | 各渠道全年营收
revenue-by-month-and-region | 每个地区每个月的营业额
revenue-growth-by-region-last-month | 上月哪个区域销售额增长最快
best-days | 营业额最高的十天
orders-last-month | 上个月一共有多少个订单
orders-by-month | 每月的订单量
orders-by-hour | 每个小时的订单量
average-order-value-last-month | 上月客单价
average-order-value-by-region | 每个区域的客单价是多少
refund-rate-by-month | 每月退货率
refund-rate-by-category | 哪类商品的退款率最高
refunded-amount-last-month | 上个月总共退款多少钱
top-products-last-month | 上月销售额前10的产品
top-products-by-quantity-last-month | 上个月销量前 10 的产品有哪些
revenue-by-category-last-month | 上个月每个品类的营业额
active-customers-by-month | 每月活跃用户数
new-customers-by-month | 每个月新增多少客户
top-customers | 消费金额前十的客户
revenue-by-segment | 各类客户的销售额
customers-by-region | 各个地区有多少客户
nothing | 上周各区域销售额
nothing | 昨天各地区卖了多少钱
nothing | 上个月各地区利润
nothing | 上个月各城市的销售额
nothing | 除了华东以外上个月各地区的销售额
nothing | 华东上个月的销售额
nothing | 上个月销售额前五的商品
nothing | 为什么上个月销售额下降了
nothing | 预测下个月的销售额
nothing | 销售额是什么意思
nothing | 有哪些表
nothing | 你好
nothing | 谢谢，很有帮助
nothing | 写一封关于上个月销售额的邮件
nothing | 删除上个月的订单
nothing | 今天上海天气怎么样
nothing | 上个月各商品的退款率
nothing | 每个地区有多少员工
nothing | 各供应商的销售额
nothing | 对比华东和华北上个月的销售额
nothing | 上个月各地区新增客户数
nothing | 三月份的销售额
nothing | 2024 年有多少订单
nothing | 上个月各地区各渠道的销售额
nothing | 上个月数码产品的销售额
nothing | 上个月平均配送时长
nothing | 上个月哪个地区卖得最少
nothing | 各品类的库存
nothing | 去年的销售额
nothing | 上个月金额超过一千元的订单
nothing | 上个月新客户贡献的销售额
nothing | 上个月订单金额的中位数
nothing | 销售额
nothing | 给我看看数据
nothing | 退款率是怎么定义的
nothing | 应用渠道每个月的销售额
nothing | 上个月退款率最高的十个商品
nothing | 上月各区域销售额含税吗
revenue-by-region-last-month | 想看看上个月不同地区的销售额
revenue-by-region-last-month | 上个月区域销售额分布
revenue-by-region-last-month | 分区域看上月营收
revenue-last-month | 上个月卖了多少
revenue-last-month | 上个月的营收是多少呀
revenue-this-month | 本月营业额是多少
revenue-total | 全年一共卖了多少钱
revenue-by-month | 销售额月度趋势
revenue-by-month | 按月份看营业额
revenue-growth-by-month | 销售额月环比
revenue-by-day-last-month | 上月逐日销售额
revenue-by-quarter | 每季度营业额
revenue-by-weekday | 星期几营业额最高
revenue-by-channel-last-month | 上月哪个渠道销售额最高
revenue-by-month-and-region | 各地区月度营收趋势
best-days | 哪 10 天销售额最高
orders-last-month | 上个月订单总数
orders-by-month | 各个月份的订单数
orders-by-hour | 哪个小时订单最多
orders-by-status-last-month | 上月订单按状态统计
average-order-value-by-month | 每月客单价变化
refund-rate-last-month | 上月退款率
refund-rate-by-region-last-month | 上个月各区域退货率
refunded-amount-last-month | 上月退款总金额是多少
cancellation-rate-by-channel | 每个渠道的订单取消率
top-products-last-month | 上个月卖得最好的十个商品
slowest-products-last-month | 上个月销售额最低的十个产品
revenue-by-category | 各品类年度营业额
revenue-by-month-and-category | 每个月各品类的营业额
discounts-by-month | 每个月优惠了多少钱
active-customers-last-month | 上个月活跃客户数
new-customers-by-month | 各月新客户数量
repeat-rate-last-month | 上个月客户复购率是多少
customers-by-region | 每个地区的客户数量
nothing | 上季度各区域销售额
nothing | 最近七天各地区的销售额
nothing | 上个月各品类毛利
nothing | 上个月各门店的销售额
nothing | 上个月会员在各地区的销售额
nothing | 西南上个月怎么样
nothing | 消费最高的三个客户
nothing | 上个月订单减少的原因是什么
nothing | 下个月销售额会增长吗
nothing | 销售额这张表是谁维护的
nothing | 早上好
nothing | 把这段话翻译成德语
nothing | 取消上一个订单
nothing | 我们有多少供应商
nothing | 退款政策
nothing | 上个月的销售目标是多少
nothing | 上个月哪些商品没有卖出去
nothing | 各年龄段的销售额
nothing | 上个月销售额里有多少来自折扣商品
nothing | 上个月人均产出
nothing | 双十一当天的订单数
nothing | 上个月各地区的税额
nothing | 把上个月的订单导出到 Excel
nothing | 华东比华南大吗
nothing | 最便宜的商品
nothing | 我们的客户平均年龄
nothing | 每个月的网站访问量
nothing | 各渠道的转化率
nothing | 下个月提醒我看销售额
nothing | 上个月各地区销售额换算成美元
revenue-by-region-last-month | 上个月哪几个区域卖得好
revenue-by-region-last-month | 领导要上个月各大区的销售数据
revenue-by-region-last-month | 上月，销售额，分大区
revenue-by-region-last-month | 上个月的销售额按地区排个名
revenue-last-month | 上个月业绩多少
revenue-last-month | 上月整体销售额
revenue-this-month | 这个月目前业绩如何
revenue-this-month | 本月至今的营业额
revenue-total | 一年下来总共卖了多少
revenue-total | 全年销售总额
revenue-by-region | 一年里哪个大区营业额最大
revenue-by-month | 每个月分别卖了多少钱
revenue-by-month | 哪个月的销售额最高
revenue-by-month | 月销售额走势
revenue-growth-by-month | 营业额逐月增速
revenue-by-day-last-month | 上月的销售额一天一天地列出来
revenue-by-quarter | 季度营收
revenue-by-weekday | 周一到周日的销售额
revenue-by-channel-last-month | 上月销售渠道的业绩
revenue-by-channel | 一年中哪个渠道卖得最多
revenue-by-month-and-region | 大区的月度业绩
best-days | 业绩最好的10天是哪几天
orders-last-month | 上个月接了几单
orders-by-month | 每个月下了多少单
orders-by-hour | 一天里什么时段下单最多
average-order-value-last-month | 上个月每单平均多少钱
average-order-value-by-month | 客单价每个月怎么变化
average-order-value-by-region | 哪个大区的客单价高
refund-rate-by-month | 退款率按月走势
refund-rate-by-category | 什么品类最容易退货
refunded-amount-last-month | 上个月退款一共花了多少钱
cancellation-rate-by-channel | 哪个渠道的取消率最高
top-products-last-month | 上月十大畅销商品
top-products-by-quantity-last-month | 上月卖出件数前十的商品
revenue-by-category-last-month | 上个月各类目业绩
revenue-by-region-and-category-last-month | 上个月每个地区每个品类卖了多少
active-customers-last-month | 上个月有几个活跃客户
new-customers-by-month | 客户每月新增数
top-customers | 前十大客户
revenue-by-segment | 哪种类型的客户消费最多
nothing | 前两个月各地区的销售额
nothing | 九月以来各区域销售额
nothing | 上个月各地区平均销售额
nothing | 上个月各地区每个客户的销售额
nothing | 上个月各地区销售额，只看应用渠道
nothing | 华北区上个月卖了多少
nothing | 上个月销售额前二十的商品
nothing | 上个月哪些客户没有下单
nothing | 下个月怎样提高销售额
nothing | 上个月的销售额算好吗
nothing | 各地区销售额的 SQL 怎么写
nothing | 订单表有哪些字段
nothing | 你真棒
nothing | 做一个月度销售额的演示文稿
nothing | 把客户 C000001 的地区改成华东
nothing | 我们一共卖多少种商品
nothing | 按星期几统计退款率
nothing | 上个月各地区取消的订单数
nothing | 上个月每小时的订单数
nothing | 各客户类型每个月的销售额
nothing | 各品类的平均折扣
nothing | 哪个地区的商品最多
nothing | 各类客户的人数
nothing | 上个月折前销售额
nothing | 剔除大促之后的月度销售额
nothing | 折扣和销量有没有关系
nothing | 各价格区间的销售额
nothing | 黑色星期五的销售额
nothing | 客户 C015842 有多少订单
nothing | 上个月各地区退款金额排名
nothing | 列出上个月的所有订单
nothing | 销售额同比增长
nothing | 卖得最好的那天销售额是多少
nothing | 最后一个订单
nothing | 华南的前十大客户
nothing | 服装在各地区每个月的销售额
nothing | 还剩多少库存
nothing | 待付款的订单
nothing | 平均每个客户有几个订单
nothing | 上个月首次购买的客户
`
