import type { Command } from '../contract.ts'

/** What each is. What it does is loaded when it is asked for. */
export const dataCommands: readonly Command[] = [
  {
    name: 'sql',
    usage: '[q1|SELECT …]',
    group: 'data',
    about: { en: 'Queries of this session; run your own', zh: '本会话的查询，或直接查询' },
    details: {
      en: '/sql lists them; /sql q1 shows the SQL and rows of one, with --csv FILE or --xlsx FILE it saves all rows. /sql SELECT … asks the only source, or --source NAME.',
      zh: '/sql 列出查询；/sql q1 显示其 SQL 与数据行，加 --csv 文件 或 --xlsx 文件 保存全部数据。/sql SELECT … 查询唯一的数据源，或用 --source 名称 指定。',
    },
    whileRunning: true,
    waits: (args) => args !== '' && !/^q\d/i.test(args),
    complete: async (words, app, signal) =>
      (await import('./complete.ts')).completeSql(words, app, signal),
    run: async (args, app) => (await import('./sql.ts')).runSql(args, app),
  },
  {
    name: 'schema',
    usage: '[source [table]]',
    group: 'data',
    about: { en: 'What data can be asked', zh: '可以查询的数据' },
    details: {
      en: 'The sources; with the name of one its tables; with a table its columns.',
      zh: '列出数据源；附带名称时列出其数据表；再附带表名时列出各列。',
    },
    whileRunning: true,
    complete: async (words, app, signal) =>
      (await import('./complete.ts')).completeSchema(words, app, signal),
    run: async (args, app) => (await import('./schema.ts')).runSchema(args, app),
  },
  {
    name: 'chart',
    usage: 'q1 [--svg|--html file]',
    group: 'data',
    about: { en: 'The chart of a query, here or as a file', zh: '查询的图表，可存为文件' },
    details: {
      en: 'The chart that was shown of it, else one that fits. --svg FILE saves an image, --html FILE a page with its rows.',
      zh: '显示过的图表，否则选择合适的图表。--svg 文件 保存为图片，--html 文件 保存为含数据的网页。',
    },
    whileRunning: true,
    complete: async (words, app, signal) =>
      (await import('./complete.ts')).completeChart(words, app, signal),
    run: async (args, app) => (await import('./chart.ts')).runChart(args, app),
  },
]
