/** Chinese words in which a shorter one of `pairs` means something else. */
const phrases: readonly (readonly [string, string])[] = [
  ['已支付', 'paid'],
  ['已发货', 'shipped'],
  ['已取消', 'cancelled'],
  ['取消的', 'cancelled'],
  ['取消了的', 'cancelled'],
  ['发货', 'ship'],
  ['发票', 'invoice'],
  ['发现', ''],
  ['开发', ''],
  ['发生', ''],
  ['参加', ''],
  ['更加', ''],
  ['加拿大', ''],
]

/** Chinese words and what tools in English call them. */
const pairs: readonly (readonly [string, string])[] = [
  ['订单', 'order'],
  ['商品', 'product'],
  ['产品', 'product'],
  ['库存', 'stock'],
  ['仓库', 'warehouse'],
  ['销售', 'sales'],
  ['营收', 'revenue sales'],
  ['报表', 'report'],
  ['报告', 'report'],
  ['统计', 'report count'],
  ['客户', 'customer'],
  ['用户', 'user'],
  ['天气', 'weather forecast'],
  ['预报', 'forecast'],
  ['气温', 'weather temperature'],
  ['邮件', 'mail email'],
  ['翻译', 'translate'],
  ['文件', 'file'],
  ['目录', 'directory'],
  ['数据库', 'database query table'],
  ['数据表', 'table'],
  ['时间', 'time'],
  ['问题', 'issue'],
  ['代码', 'code'],
  ['备注', 'note'],
  ['计算', 'calculate'],
  ['详情', 'detail'],
  ['状态', 'status detail'],
  ['查询', 'get search query'],
  ['查', 'get check'],
  ['搜索', 'search'],
  ['搜', 'search'],
  ['找', 'search find'],
  ['列出', 'list'],
  ['列表', 'list'],
  ['哪些', 'list'],
  ['所有', 'list'],
  ['取消', 'cancel'],
  ['删除', 'delete remove'],
  ['添加', 'add create'],
  ['加', 'add'],
  ['新建', 'create'],
  ['创建', 'create'],
  ['修改', 'update edit set'],
  ['更新', 'update'],
  ['发送', 'send'],
  ['发', 'send'],
  ['写', 'write'],
  ['退款', 'refund'],
  ['按天', 'day'],
  ['每天', 'day'],
  ['地区', 'region'],
  ['类别', 'category'],
  ['分类', 'category'],
  ['待处理', 'pending'],
  ['厨房', 'kitchen'],
]

/** English words that people use for those of a tool's name. */
const others: Readonly<Record<string, string>> = {
  find: 'search',
  create: 'add',
  append: 'add',
  delete: 'remove',
  remove: 'delete',
  look: 'search',
  show: 'get list',
  display: 'get list',
  which: 'list',
  available: 'stock check',
  inventory: 'stock',
  temperature: 'weather forecast',
  email: 'mail',
}

/** The words of tools that a message's Chinese, or another English word, stands for. */
export function translated(text: string): string[] {
  const rest = phrases.reduce((left, [phrase]) => left.replaceAll(phrase, ' '), text)
  const chinese = [...meaningsIn(text, phrases), ...meaningsIn(rest, pairs)]
  const words = new Set(
    text
      .slice(0, 4_000)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [],
  )
  const english = Object.keys(others).filter((word) => words.has(word))
  return [...chinese, ...english.flatMap((word) => others[word]!.split(' '))]
}

function meaningsIn(text: string, list: typeof pairs): string[] {
  return list.flatMap(([word, meaning]) =>
    meaning !== '' && text.includes(word) ? meaning.split(' ') : [],
  )
}

/** The one of `values` that a message says, in English or Chinese; the longest where several. */
export function findChoice(
  text: string,
  values: readonly (string | number)[],
): string | number | undefined {
  const said = new Set([
    ...(text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []),
    ...translated(text),
  ])
  const latin = new Set(text.toLowerCase().match(/[a-z0-9_-]+/g) ?? [])
  return values.find((value) => {
    const spelled = `${value}`.toLowerCase()
    const isChinese = /\p{Script=Han}/u.test(spelled)
    return isChinese ? text.includes(spelled) : said.has(spelled) || latin.has(spelled)
  })
}
