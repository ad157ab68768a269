import type { DataDefinition, DataTable } from '@dataagent/schema'

/** What people are told of a table and its columns, in both languages. */
export interface TableDescription extends Required<Pick<DataTable, 'name' | 'description'>> {
  columns: readonly { name: string; description: string }[]
}

export const retailTables: readonly TableDescription[] = [
  {
    name: 'orders',
    description: 'One order of one product in each row, over a year. 一年的订单，每行一单一品。',
    columns: [
      { name: 'order_id', description: 'Counts up with time. 订单号，按时间递增。' },
      { name: 'ordered_at', description: 'Local date and time. 下单时间（当地时间）。' },
      { name: 'customer_id', description: 'Of customers. 客户编号，见 customers。' },
      { name: 'product_id', description: 'Of products. 商品编号，见 products。' },
      { name: 'region_id', description: 'Where it was sold; of regions. 地区编号，见 regions。' },
      { name: 'quantity', description: 'Pieces. 件数。' },
      { name: 'unit_price', description: 'In yuan, before the discount. 单价（元，折前）。' },
      { name: 'discount', description: 'A share: 0.10 is 10 % off. 折扣比例，0.10 即减 10 %。' },
      {
        name: 'amount',
        description:
          'In yuan: quantity × unit_price × (1 − discount). 金额（元）＝件数 × 单价 ×（1 − 折扣）。',
      },
      {
        name: 'status',
        description: 'paid, refunded or cancelled. 状态：已付款、已退款、已取消。',
      },
      {
        name: 'channel',
        description: 'app, web, store or marketplace. 渠道：应用、网站、门店、第三方平台。',
      },
    ],
  },
  {
    name: 'products',
    description: 'What is sold: 64 products in 8 categories. 商品：8 个品类共 64 种。',
    columns: [
      { name: 'product_id', description: 'Its first digit is the category. 商品编号。' },
      { name: 'name', description: 'In English. 英文名称。' },
      { name: 'name_zh', description: 'In Chinese. 中文名称。' },
      { name: 'category', description: 'In English. 英文品类。' },
      { name: 'category_zh', description: 'In Chinese. 中文品类。' },
      { name: 'list_price', description: 'In yuan. 标价（元）。' },
    ],
  },
  {
    name: 'regions',
    description: 'The seven sales regions. 七个销售地区。',
    columns: [
      { name: 'region_id', description: 'From 1 to 7. 地区编号。' },
      { name: 'name', description: 'In English: East, South … 英文名称。' },
      { name: 'name_zh', description: 'In Chinese: 华东、华南…… 中文名称。' },
    ],
  },
  {
    name: 'customers',
    description: 'Customers by number, without names. 客户，只有编号，没有姓名。',
    columns: [
      { name: 'customer_id', description: 'A number with a C before it. 客户编号。' },
      { name: 'segment', description: 'consumer, member or business. 英文客户类型。' },
      { name: 'segment_zh', description: '个人, 会员 or 企业. 中文客户类型。' },
      { name: 'region_id', description: 'Where they buy; of regions. 所在地区，见 regions。' },
      { name: 'joined_on', description: 'The day they became a customer. 成为客户的日期。' },
    ],
  },
]

export const retailDefinitions: readonly Pick<DataDefinition, 'term' | 'meaning'>[] = [
  {
    term: 'revenue / 销售额',
    meaning:
      "Sum of orders.amount of orders whose status is 'paid'; refunded and cancelled orders do not count. 已付款（paid）订单的金额之和，不含已退款和已取消的订单。",
  },
  {
    term: 'order count / 订单数',
    meaning:
      'Number of orders that were not cancelled: paid and refunded. 未取消的订单数（已付款和已退款）。',
  },
  {
    term: 'average order value / 客单价',
    meaning: 'Revenue divided by the number of paid orders. 销售额除以已付款订单数。',
  },
  {
    term: 'refund rate / 退款率',
    meaning:
      'Refunded orders divided by orders that were not cancelled, as a share from 0 to 1. 已退款订单数除以未取消的订单数（0 到 1）。',
  },
  {
    term: 'cancellation rate / 取消率',
    meaning:
      'Cancelled orders divided by all orders, as a share from 0 to 1. 已取消订单数除以全部订单数（0 到 1）。',
  },
  {
    term: 'active customer / 活跃客户',
    meaning:
      'A customer with at least one paid order in the period. 当期至少有一笔已付款订单的客户。',
  },
  {
    term: 'new customer / 新客户',
    meaning: 'A customer whose joined_on is in the period. 成为客户的日期在当期之内的客户。',
  },
  {
    term: 'repeat purchase rate / 复购率',
    meaning:
      'Of the active customers of the period, the share with two or more paid orders in it. 当期活跃客户中，已付款订单不少于两笔的客户占比。',
  },
  {
    term: 'last month / 上个月',
    meaning:
      'The month before that of the last order in the data, not of today. 数据中最后一笔订单所在月份的前一个月，而非今天的上个月。',
  },
  {
    term: 'this month / 本月',
    meaning:
      'The month of the last order in the data, up to that day. 数据中最后一笔订单所在的月份，截至当日。',
  },
]
