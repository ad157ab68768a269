/** What the sample sells, where and to whom. All weights are whole numbers: the same everywhere. */
export interface Region {
  name: string
  name_zh: string
  /** Its share of orders at the beginning, and what is added to it with each month. */
  weight: number
  trend: number
  /** Refunds on top of those of a category, in a thousand orders. */
  refunds: number
}

export const regions: readonly Region[] = [
  { name: 'East', name_zh: '华东', weight: 300, trend: 2, refunds: 0 },
  { name: 'South', name_zh: '华南', weight: 220, trend: 3, refunds: 0 },
  { name: 'North', name_zh: '华北', weight: 190, trend: 0, refunds: 5 },
  { name: 'Central', name_zh: '华中', weight: 120, trend: 2, refunds: 0 },
  { name: 'Southwest', name_zh: '西南', weight: 80, trend: 6, refunds: 5 },
  { name: 'Northeast', name_zh: '东北', weight: 90, trend: -3, refunds: 8 },
  { name: 'Northwest', name_zh: '西北', weight: 50, trend: 1, refunds: 18 },
]

export interface Category {
  name: string
  name_zh: string
  /** Its share of orders from January to December. */
  months: readonly number[]
  /** In a thousand orders. */
  refunds: number
  /** The best-selling first: name, Chinese name, price. */
  products: readonly (readonly [string, string, string])[]
}

export const categories: readonly Category[] = [
  {
    ...{ name: 'Beverages', name_zh: '饮料', refunds: 12 },
    months: [12, 12, 13, 15, 17, 20, 22, 22, 18, 15, 12, 12],
    products: [
      ['Sparkling water, 24 cans', '气泡水 24 罐', '69.00'],
      ['Green tea, 500 g', '绿茶 500 克', '128.00'],
      ['Coffee beans, 1 kg', '咖啡豆 1 千克', '158.00'],
      ['Orange juice, 12 bottles', '橙汁 12 瓶', '89.00'],
      ['Oat milk, 6 cartons', '燕麦奶 6 盒', '59.90'],
      ['Coconut water, 12 cartons', '椰子水 12 盒', '79.00'],
      ['Drip coffee, 30 bags', '挂耳咖啡 30 包', '99.00'],
      ['Jasmine tea, 250 g', '茉莉花茶 250 克', '76.00'],
    ],
  },
  {
    ...{ name: 'Snacks', name_zh: '零食', refunds: 10 },
    months: [20, 18, 14, 14, 14, 13, 12, 12, 14, 15, 16, 19],
    products: [
      ['Mixed nuts, 750 g', '混合坚果 750 克', '99.00'],
      ['Rice crackers, 12 packs', '米饼 12 包', '39.90'],
      ['Dark chocolate, 10 bars', '黑巧克力 10 块', '85.00'],
      ['Dried mango, 500 g', '芒果干 500 克', '45.00'],
      ['Seaweed, 20 packs', '海苔 20 包', '36.00'],
      ['Egg rolls, 600 g', '蛋卷 600 克', '42.00'],
      ['Beef jerky, 400 g', '牛肉干 400 克', '88.00'],
      ['Popcorn, 10 bags', '爆米花 10 袋', '29.90'],
    ],
  },
  {
    ...{ name: 'Fresh food', name_zh: '生鲜', refunds: 24 },
    months: [13, 14, 13, 13, 14, 14, 14, 14, 15, 14, 12, 13],
    products: [
      ['Apples, 5 kg', '苹果 5 千克', '58.00'],
      ['Free-range eggs, 30', '土鸡蛋 30 枚', '45.80'],
      ['Salmon fillet, 500 g', '三文鱼 500 克', '118.00'],
      ['Beef steak, 10 pieces', '牛排 10 片', '199.00'],
      ['Navel oranges, 5 kg', '脐橙 5 千克', '49.90'],
      ['Shrimp, 2 kg', '鲜虾 2 千克', '139.00'],
      ['Blueberries, 6 boxes', '蓝莓 6 盒', '79.00'],
      ['Yoghurt, 24 cups', '酸奶 24 杯', '66.00'],
    ],
  },
  {
    ...{ name: 'Personal care', name_zh: '个护', refunds: 28 },
    months: [12, 12, 14, 13, 14, 15, 13, 12, 13, 13, 16, 13],
    products: [
      ['Shampoo, 750 ml', '洗发水 750 毫升', '69.90'],
      ['Toothpaste, 4 tubes', '牙膏 4 支', '49.00'],
      ['Body wash, 1 l', '沐浴露 1 升', '59.00'],
      ['Face cream, 50 g', '面霜 50 克', '168.00'],
      ['Sun cream, 60 ml', '防晒霜 60 毫升', '98.00'],
      ['Hand cream, 3 tubes', '护手霜 3 支', '45.00'],
      ['Face masks, 20', '面膜 20 片', '119.00'],
      ['Hair dryer', '吹风机', '259.00'],
    ],
  },
  {
    ...{ name: 'Household', name_zh: '家居', refunds: 34 },
    months: [12, 11, 14, 14, 13, 13, 12, 12, 13, 14, 15, 13],
    products: [
      ['Laundry detergent, 5 l', '洗衣液 5 升', '75.00'],
      ['Paper towels, 24 rolls', '纸巾 24 卷', '49.90'],
      ['Bed linen, set of four', '床上四件套', '299.00'],
      ['Frying pan, 28 cm', '平底锅 28 厘米', '169.00'],
      ['Storage boxes, 3', '收纳箱 3 个', '89.00'],
      ['Vacuum flask, 500 ml', '保温杯 500 毫升', '79.00'],
      ['Desk lamp', '台灯', '139.00'],
      ['Pillows, 2', '枕头 2 个', '159.00'],
    ],
  },
  {
    ...{ name: 'Electronics', name_zh: '数码', refunds: 58 },
    months: [8, 8, 9, 9, 9, 13, 9, 10, 11, 10, 18, 12],
    products: [
      ['Phone charger, 65 W', '手机充电器 65 瓦', '129.00'],
      ['Wireless earphones', '无线耳机', '399.00'],
      ['Power bank', '充电宝', '149.00'],
      ['Smart watch', '智能手表', '899.00'],
      ['Bluetooth speaker', '蓝牙音箱', '269.00'],
      ['Mechanical keyboard', '机械键盘', '359.00'],
      ['Tablet, 11 inch', '平板电脑 11 英寸', '2299.00'],
      ['Monitor, 27 inch', '显示器 27 英寸', '1399.00'],
    ],
  },
  {
    ...{ name: 'Clothing', name_zh: '服装', refunds: 86 },
    months: [14, 11, 14, 14, 13, 11, 10, 10, 14, 17, 20, 18],
    products: [
      ['Cotton T-shirt', '纯棉 T 恤', '79.00'],
      ['Socks, 10 pairs', '袜子 10 双', '39.00'],
      ['Jeans', '牛仔裤', '199.00'],
      ['Running shoes', '跑步鞋', '429.00'],
      ['Sweater', '毛衣', '239.00'],
      ['Down jacket', '羽绒服', '699.00'],
      ['Shirt', '衬衫', '159.00'],
      ['Backpack', '双肩包', '229.00'],
    ],
  },
  {
    ...{ name: 'Toys', name_zh: '玩具', refunds: 40 },
    months: [9, 7, 6, 6, 9, 13, 7, 7, 6, 6, 9, 14],
    products: [
      ['Building bricks, 600', '积木 600 块', '149.00'],
      ['Jigsaw puzzle, 1,000', '拼图 1000 片', '69.00'],
      ['Plush bear', '毛绒小熊', '89.00'],
      ['Board game', '桌游', '119.00'],
      ['Remote-controlled car', '遥控车', '189.00'],
      ['Colouring set', '画笔套装', '59.00'],
      ['Kite', '风筝', '39.90'],
      ['Science kit', '科学实验套装', '199.00'],
    ],
  },
]

export interface Segment {
  name: string
  name_zh: string
  weight: number
}

export const segments: readonly Segment[] = [
  { name: 'consumer', name_zh: '个人', weight: 62 },
  { name: 'member', name_zh: '会员', weight: 30 },
  { name: 'business', name_zh: '企业', weight: 8 },
]

export const channels = [
  { name: 'app', weight: 46 },
  { name: 'web', weight: 22 },
  { name: 'store', weight: 20 },
  { name: 'marketplace', weight: 12 },
]

/** From January to December, and from Monday to Sunday, in a hundred. */
export const monthWeights = [104, 82, 92, 94, 98, 108, 97, 96, 101, 103, 122, 112]
export const weekdayWeights = [92, 90, 91, 95, 108, 124, 118]

/** Days of the year with more orders, in a hundred; refunds and discounts follow them. */
export const promotions = [
  { from: '06-16', to: '06-18', weight: 230 },
  { from: '11-08', to: '11-10', weight: 160 },
  { from: '11-11', to: '11-11', weight: 420 },
  { from: '12-22', to: '12-31', weight: 125 },
]

/** Orders of the hours from 0 to 23. */
export const hourWeights = [
  ...[2, 1, 1, 1, 1, 2, 4, 7, 11, 15, 17, 16],
  ...[14, 13, 13, 14, 15, 16, 19, 23, 26, 24, 16, 7],
]
