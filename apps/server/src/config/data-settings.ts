import { onOff, wholeNumber } from './field.ts'

/** Questions about data: what they may take, and how long their answers are kept. */
export const dataSettings = {
  data: onOff(true, {
    group: 'data',
    about: {
      en: 'Let agents and users ask sources of data: files, DuckDB, SQLite, MySQL and PostgreSQL',
      zh: '允许智能体和用户查询数据源：文件、DuckDB、SQLite、MySQL 与 PostgreSQL',
    },
  }),
  data_query_seconds: wholeNumber(1, 3_600, 60, {
    group: 'data',
    about: {
      en: 'Seconds that a query may take, counting its rows included',
      zh: '单个查询的时限（秒），包括统计行数',
    },
  }),
  data_max_processes: wholeNumber(1, 1_000, 4, {
    group: 'data',
    about: {
      en: 'Programs that read files and database files at once, per process of the server; others wait',
      zh: '每个服务进程同时运行的文件查询程序上限；其余排队',
    },
  }),
  data_retention_days: wholeNumber(1, 36_500, 30, {
    group: 'data',
    about: {
      en: 'Days that queries and their rows are kept',
      zh: '查询及其结果行的保留天数',
    },
  }),
}
