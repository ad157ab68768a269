import type { Text } from '../../words/index.ts'

export const noQuestionYet: Text = {
  en: 'No query was run yet. /sql SELECT … runs one; /schema shows what can be asked.',
  zh: '还没有执行查询。/sql SELECT … 可直接查询；/schema 查看可用的数据。',
}
export const noQueries: Text = {
  en: 'No query was run in this session. /sql SELECT … runs one.',
  zh: '本会话还没有执行查询。/sql SELECT … 可直接查询。',
}
export const unknownQuery = (ref: string): Text => ({
  en: `There is no query ${ref} here. /sql lists them.`,
  zh: `没有查询 ${ref}。/sql 列出全部查询。`,
})

export const noSource: Text = {
  en: 'There is no source of data yet. An administrator can register one.',
  zh: '还没有数据源。管理员可以添加。',
}
export const whichSource = (names: readonly string[]): Text => ({
  en: `Say which source with --source: ${names.join(', ')}`,
  zh: `请用 --source 指定数据源：${names.join('、')}`,
})
export const unknownSource = (name: string, names: readonly string[]): Text => ({
  en: `There is no source ${name}. There are: ${names.join(', ')}`,
  zh: `没有数据源 ${name}。可用的有：${names.join('、')}`,
})
export const noTables = (source: string): Text => ({
  en: `${source} has no tables.`,
  zh: `${source} 没有数据表。`,
})
export const unknownTable = (table: string, source: string): Text => ({
  en: `There is no table ${table} in ${source}. /schema ${source} lists them.`,
  zh: `${source} 中没有数据表 ${table}。/schema ${source} 列出全部。`,
})
export const moreTables = (left: number): Text => ({
  en: `${left} more tables: name one to see it.`,
  zh: `另有 ${left} 个数据表：指定表名即可查看。`,
})
export const rowCount = (count: string): Text => ({ en: `${count} rows`, zh: `${count} 行` })
export const columnCount = (count: number): Text => ({
  en: `${count} column${count === 1 ? '' : 's'}`,
  zh: `${count} 列`,
})

export const noChart = (ref: string): Text => ({
  en: `No chart fits ${ref}. /sql ${ref} shows its rows.`,
  zh: `${ref} 不适合图表。/sql ${ref} 查看数据行。`,
})
