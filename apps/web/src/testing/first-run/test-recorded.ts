import type { Step } from './test-first-walk.ts'

/** A step with the time that it took. */
export interface Recorded extends Omit<Step, 'go'> {
  seconds: number
  /** Of the second start, for which everything is set up. */
  again?: boolean
}

interface Machine {
  date: string
  cores: number
}

const texts = {
  en: {
    head: '| step | seconds | then |',
    again: 'the same again',
    picture: 'picture',
    all: 'all together, from the first start on',
    about: ({ date, cores }: Machine) =>
      `Recorded on ${date} by \`npm run screens -- first-run\`: a fresh clone on\n${cores} cores, packages in npm's cache. A person also reads.`,
  },
  zh: {
    head: '| 步骤 | 秒 | 之后 |',
    again: '再次启动',
    picture: '截图',
    all: '合计（从首次启动算起）',
    about: ({ date, cores }: Machine) =>
      `由 \`npm run screens -- first-run\` 录制于 ${date}：\n全新克隆，${cores} 个核心，软件包已在 npm 缓存中。真人还需要时间阅读。`,
  },
}

/**
 * Each language has the steps that were walked in it. The first start was walked in English: the
 * other one found everything set up.
 */
export function toRows({ en, zh }: Record<'en' | 'zh', readonly Recorded[]>) {
  const [[first, ...inEnglish], [second, ...inChinese]] = [en, zh]
  const starts = [first!, { ...second!, again: true }]
  return { en: [...starts, ...inEnglish], zh: [...starts, ...inChinese] }
}

/** The table of a page. */
export function recordedTable(
  lang: 'en' | 'zh',
  rows: readonly Recorded[],
  machine: Machine,
): string {
  const { head, again, picture, all, about } = texts[lang]
  const told = rows.map((row) => {
    const name = row.again ? again : row[lang]
    const link = row.picture ? `[${picture}](screens/first-run/${row.picture}.${lang}.webp)` : ''
    return toRow(name, row.seconds, link)
  })
  const whole = rows.reduce((sum, row) => (row.again ? sum : sum + row.seconds), 0)
  return [about(machine), '', head, '| --- | --- | --- |', ...told, toRow(all, whole, '')].join(
    '\n',
  )
}

const [begin, end] = ['<!-- recorded -->', '<!-- end -->']

/** The page with the table in its place. */
export function withRecorded(page: string, table: string): string {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`the page has no ${begin} … ${end}`)
  return `${before}${begin}\n\n${table}\n\n${end}${after}`
}

function toRow(name: string, seconds: number, link: string): string {
  return `| ${name} | ${seconds.toFixed(1)} | ${link} |`
}
