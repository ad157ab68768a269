/** The words beside a number that say what it is of. English words stand alone. */
interface Words {
  english: readonly string[]
  chinese: readonly string[]
}

function before({ english, chinese }: Words, tail = '\\s*$'): RegExp {
  return new RegExp(`(?:(?:^|[^A-Za-z])(?:${english.join('|')})|${chinese.join('|')})${tail}`, 'i')
}

function after({ english, chinese }: Words, head: string): RegExp {
  return new RegExp(`${head}(?:(?:${english.join('|')})(?![A-Za-z])|${chinese.join('|')})`, 'i')
}

export const currencyBefore = before(
  { english: ['USD', 'RMB', 'CNY', 'EUR', 'GBP', 'HKD', 'JPY'], chinese: ['[¥$€£]'] },
  '\\s*[-−]?\\s*$',
)

const months = [
  ...['Jan(?:uary)?', 'Feb(?:ruary)?', 'Mar(?:ch)?', 'Apr(?:il)?', 'May', 'June?', 'July?'],
  ...['Aug(?:ust)?', 'Sept?(?:ember)?', 'Oct(?:ober)?', 'Nov(?:ember)?', 'Dec(?:ember)?'],
].join('|')
// With a capital: "may" is a word.
export const monthBefore = new RegExp(
  `(?:^|[^A-Za-z])(?:${months})\\.?\\s+(?:\\d{1,2}\\s*[-–]\\s*)?$`,
)
export const monthAfter = new RegExp(
  `^(?:st|nd|rd|th)?\\s+(?:of\\s+)?(?:${months})\\.?(?![A-Za-z])`,
)

export const ordinalBefore = before({
  english: [
    ...['top', 'first', 'bottom', 'rank(?:ed|s|ing)?', 'no\\.?', 'nr\\.?', 'step', 'figure'],
    ...['fig\\.?', 'table', 'chapter', 'section', 'page', 'level', 'tier', 'phase', 'stage'],
    ...['version', 'ver\\.?', 'build', 'line', 'row', 'question', 'option'],
  ],
  chinese: ['第', '排名', '名列', '步骤', '版本', '图', '表', '#'],
})

const identifiers = { english: ['ids?', 'sku'], chinese: ['[编单工]号', '订单号', '电话', '邮编'] }
export const idBefore = before(identifiers)
/** What is an identifier only with a colon or the like: "order: 17", but "order 17 boxes". */
export const labelledIdBefore = before(
  {
    english: [
      ...[...identifiers.english, 'code', 'ticket', 'issue', 'phone', 'tel'],
      ...['zip', 'port', 'order', 'invoice', 'batch'],
    ],
    chinese: [...identifiers.chinese, '订单', '代码', '批次'],
  },
  '\\s*(?:号|is|为|是)?\\s*[:：#=]\\s*$',
)

export const periodBefore = before({
  english: [
    ...['last', 'past', 'next', 'previous', 'recent', 'trailing', 'within', 'every', 'the'],
  ],
  chinese: ['最近', '过去', '近', '未来', '连续', '[前后每上]', '滚动'],
})
export const periodAfter = after(
  {
    english: ['days?', 'weeks?', 'months?', 'years?', 'hours?', 'minutes?', 'quarters?'],
    chinese: ['[天日周年]', '个?月', '个?季度', '个?小时', '分钟', '个?星期'],
  },
  '^[\\s-]*',
)

export const yearBefore = before(
  {
    english: [
      ...['in', 'since', 'during', 'of', 'for', 'from', 'to', 'until', 'till', 'by', 'years?'],
      ...['fy', 'early', 'late', 'mid', 'through', 'throughout', 'versus', 'vs\\.?', 'and'],
      ...['between', 'than', 'before', 'after', 'calendar', 'fiscal', '[QH][1-4]'],
    ],
    chinese: ['截至', '截止', '[自从到至和与及于在比年]'],
  },
  "\\s*[-–']?$",
)
export const yearListAfter = /^\s*(?:[,、/和及与或]|and|or|to|vs\.?)\s*(?:19|20)\d\d(?![\d,.])/

/** What a text has, not what was measured: three reasons, 两点建议. */
export const structureAfter = after(
  {
    english: [
      ...['reasons?', 'ways?', 'steps?', 'options?', 'things?', 'parts?', 'takeaways?'],
      ...['insights?', 'findings?', 'questions?', 'aspects?', 'factors?', 'observations?'],
      ...['suggestions?', 'recommendations?'],
    ],
    chinese: [
      ...['原因', '方面', '建议', '步骤', '部分', '要点', '问题', '方式', '方法', '阶段'],
      ...['维度', '结论', '发现', '点(?=[:：,，。]|建议|原因|说明|结论)'],
    ],
  },
  '^\\s*[个条种类大项]?\\s*(?:key\\s+|main\\s+|possible\\s+|major\\s+|主要|关键|可能的|重要)?',
)

const hedgeTail = '\\s*[¥$€£]?\\s*$'
export const aboutBefore = before(
  {
    english: ['about', 'around', 'approx(?:imately|\\.)?', 'roughly', 'close to', 'just'],
    chinese: ['[~≈约]', '大概'],
  },
  hedgeTail,
)
export const overBefore = before(
  {
    english: ['over', 'more than', 'above', 'at least', 'exceed(?:s|ed|ing)?'],
    chinese: ['[超逾达破]', '超过', '达到', '至少', '高于'],
  },
  hedgeTail,
)
export const underBefore = before(
  {
    english: ['nearly', 'almost', 'up to', 'less than', 'under', 'below', 'fewer than'],
    chinese: ['近', '接近', '多达', '高达', '不足', '不到', '低于'],
  },
  hedgeTail,
)
export const aboutAfter = /^\s*(?:左右|上下|or so(?![A-Za-z]))/
export const overAfter = /^\s*(?:[多余+]|or more(?![A-Za-z]))/
