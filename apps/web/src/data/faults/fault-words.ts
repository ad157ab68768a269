import { defineWords } from '../../words/words.ts'
import type { FaultKind } from './to-fault.ts'

/** What happened, and what to do about it. */
type Told = Readonly<Record<FaultKind, readonly [string, string]>>

export const faultWords = defineWords({
  en: {
    said: 'In the original words:',
    told: {
      unreachable: [
        'The source cannot be reached.',
        'Is the database running, and are its host and port right? Administrators change them under Data → Sources.',
      ],
      password: [
        'The database does not let the source in: its user or password is not accepted.',
        'An administrator writes them anew under Data → Sources.',
      ],
      database: [
        'The server has no such database.',
        'An administrator mends its name under Data → Sources.',
      ],
      address: [
        'This address must not be connected to.',
        'Whoever runs the platform can allow it: DATAAGENT_ALLOWED_ADDRESSES.',
      ],
      file: [
        'The file or folder of the source is not there.',
        'Put it back, or have an administrator change the path under Data → Sources.',
      ],
      inUse: [
        'Another program is writing the file of the source.',
        'Try again when that has ended.',
      ],
      off: ['The source is switched off.', 'An administrator switches it on under Data → Sources.'],
      busy: ['Too many queries are running.', 'Try again in a moment.'],
      brokenOff: ['The query broke off.', 'Run it again.'],
      writes: [
        'Only statements that read are run. Nothing was changed.',
        'Begin with SELECT or WITH.',
      ],
      several: ['Only one statement is run at a time.', 'Run them one by one.'],
      notOffered: [
        'The statement uses something that is not offered here.',
        'Ask the tables by their names, without functions that reach files or change anything.',
      ],
      grant: [
        'The account of the source may not read this.',
        'Ask other tables, or have it granted in the database.',
      ],
      name: [
        'The statement names a table or column that is not there.',
        'The tables and columns are listed under Data → Sources.',
      ],
      statement: [
        'The statement cannot be run as it is written.',
        'Mend what the source says, and run it again.',
      ],
      timeout: [
        'The query took too long and was stopped.',
        'Ask for less: a shorter period, a filter, or sums in place of single rows.',
      ],
      memory: [
        'The query needs more memory than it may have.',
        'Filter or sum up first, and sort less.',
      ],
      longValue: [
        'A value of the result is too long.',
        'Take a part of it, such as left(column, 1000).',
      ],
      longSql: ['The statement is too long.', 'Write it shorter.'],
      cancelled: ['The query was stopped.', 'Run it again whenever you like.'],
      source: [
        'The source is not there any more.',
        'What can be asked is listed under Data → Sources.',
      ],
      sealed: [
        'The stored password of the source cannot be read.',
        'An administrator writes it anew under Data → Sources.',
      ],
    } as Told,
  },
  zh: {
    said: '原文：',
    told: {
      unreachable: [
        '无法连接数据源。',
        '请确认数据库正在运行，主机和端口是否正确；管理员可在“数据 → 数据源”中修改。',
      ],
      password: ['数据库拒绝登录：用户名或密码不被接受。', '请管理员在“数据 → 数据源”中重新填写。'],
      database: ['服务器上没有这个数据库。', '请管理员在“数据 → 数据源”中更正数据库名称。'],
      address: ['不允许连接这个地址。', '平台运维人员可以通过 DATAAGENT_ALLOWED_ADDRESSES 放行。'],
      file: [
        '数据源的文件或文件夹不存在。',
        '请将其放回原处，或请管理员在“数据 → 数据源”中修改路径。',
      ],
      inUse: ['其他程序正在写入数据源的文件。', '请等待写入结束后再试。'],
      off: ['数据源已停用。', '请管理员在“数据 → 数据源”中启用。'],
      busy: ['正在运行的查询过多。', '请稍后再试。'],
      brokenOff: ['查询中断了。', '请重新运行。'],
      writes: ['只能运行读取数据的语句，没有改动任何数据。', '请以 SELECT 或 WITH 开头。'],
      several: ['一次只能运行一条语句。', '请逐条运行。'],
      notOffered: [
        '语句使用了不提供的功能。',
        '请直接按名称查询表，不要使用读取文件或改动数据的函数。',
      ],
      grant: ['数据源的账号没有读取权限。', '请查询其他表，或请数据库管理员授权。'],
      name: ['语句中的表或列不存在。', '可用的表和列列在“数据 → 数据源”中。'],
      statement: ['语句无法运行。', '请根据数据源的提示修改后重新运行。'],
      timeout: ['查询耗时过长，已停止。', '请缩小范围：缩短时间段、增加筛选，或先汇总。'],
      memory: ['查询所需内存超出上限。', '请先筛选或汇总，并减少排序。'],
      longValue: ['结果中有过长的值。', '请只取其中一部分，例如 left(column, 1000)。'],
      longSql: ['语句过长。', '请缩短后再运行。'],
      cancelled: ['查询已停止。', '可以随时重新运行。'],
      source: ['数据源已不存在。', '可以询问的数据源列在“数据 → 数据源”中。'],
      sealed: ['无法读取保存的数据源密码。', '请管理员在“数据 → 数据源”中重新填写。'],
    } as Told,
  },
})
