/** What columns are called, and which hold names, in one language. */
export interface Words {
  regionName: string
  productName: string
  categoryName: string
  segmentName: string
  region: string
  product: string
  category: string
  segment: string
  customer: string
  channel: string
  status: string
  month: string
  quarter: string
  day: string
  firstDay: string
  lastDay: string
  weekday: string
  hour: string
  revenue: string
  previousRevenue: string
  change: string
  share: string
  orders: string
  quantity: string
  amount: string
  averageOrderValue: string
  refundRate: string
  refundedOrders: string
  refundedAmount: string
  cancellationRate: string
  cancelledOrders: string
  activeCustomers: string
  newCustomers: string
  customers: string
  repeatRate: string
  discounts: string
}

/** One thing to be asked, in both languages: the question first, then other ways to ask it. */
export interface Topic {
  topic: string
  en: readonly [string, ...string[]]
  zh: readonly [string, ...string[]]
  sql(words: Words): string
}

export const english: Words = {
  regionName: 'r.name',
  productName: 'p.name',
  categoryName: 'p.category',
  segmentName: 'c.segment',
  region: 'region',
  product: 'product',
  category: 'category',
  segment: 'segment',
  customer: 'customer',
  channel: 'channel',
  status: 'status',
  month: 'month',
  quarter: 'quarter',
  day: 'day',
  firstDay: 'first_day',
  lastDay: 'last_day',
  weekday: 'weekday',
  hour: 'hour',
  revenue: 'revenue',
  previousRevenue: 'previous_revenue',
  change: 'change',
  share: 'share',
  orders: 'orders',
  quantity: 'quantity',
  amount: 'amount',
  averageOrderValue: 'average_order_value',
  refundRate: 'refund_rate',
  refundedOrders: 'refunded_orders',
  refundedAmount: 'refunded_amount',
  cancellationRate: 'cancellation_rate',
  cancelledOrders: 'cancelled_orders',
  activeCustomers: 'active_customers',
  newCustomers: 'new_customers',
  customers: 'customers',
  repeatRate: 'repeat_rate',
  discounts: 'discounts',
}

export const chinese: Words = {
  regionName: 'r.name_zh',
  productName: 'p.name_zh',
  categoryName: 'p.category_zh',
  segmentName: 'c.segment_zh',
  region: '地区',
  product: '商品',
  category: '品类',
  segment: '客户类型',
  customer: '客户',
  channel: '渠道',
  status: '状态',
  month: '月份',
  quarter: '季度',
  day: '日期',
  firstDay: '开始日期',
  lastDay: '结束日期',
  weekday: '星期',
  hour: '小时',
  revenue: '销售额',
  previousRevenue: '上期销售额',
  change: '增长率',
  share: '占比',
  orders: '订单数',
  quantity: '件数',
  amount: '金额',
  averageOrderValue: '客单价',
  refundRate: '退款率',
  refundedOrders: '退款订单数',
  refundedAmount: '退款金额',
  cancellationRate: '取消率',
  cancelledOrders: '取消订单数',
  activeCustomers: '活跃客户数',
  newCustomers: '新客户数',
  customers: '客户数',
  repeatRate: '复购率',
  discounts: '优惠金额',
}
