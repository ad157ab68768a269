import type { Text } from '../../words/index.ts'

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

export const words = {
  usage: (action: string): Text => {
    const line =
      {
        run: 'dataagent harbor run FILE',
        check: 'dataagent harbor check FILE',
        report: 'dataagent harbor report FILE',
        compare: 'dataagent harbor compare BASELINE CURRENT',
        convert: 'dataagent harbor convert FILE',
      }[action] ?? 'dataagent harbor run|check|report|compare|convert'
    return {
      en: `It is: ${line}. See: dataagent help harbor`,
      zh: `用法：${line}。参见：dataagent help harbor`,
    }
  },
  unreadable: (path: string, code: string): Text => ({
    en: `${path} cannot be read (${code}).`,
    zh: `无法读取 ${path}（${code}）。`,
  }),
  unwritable: (path: string, code: string): Text => ({
    en: `${path} cannot be written (${code}): choose another --out.`,
    zh: `无法写入 ${path}（${code}）：请另选 --out。`,
  }),
  badQuestions: (path: string, problem: string): Text => ({
    en: `${path}: ${problem}`,
    zh: `${path}：${problem}`,
  }),
  badReport: (path: string): Text => ({
    en: `${path} is not a report of harbor (report.json).`,
    zh: `${path} 不是 harbor 的报告（report.json）。`,
  }),
  badUrl: (value: string): Text => ({
    en: `--url needs an address such as https://agents.example.com, not "${value}".`,
    zh: `--url 应为地址，如 https://agents.example.com，而不是“${value}”。`,
  }),
  badNumber: (flag: string, value: string, range: string): Text => ({
    en: `--${flag} needs a number (${range}), not "${value}".`,
    zh: `--${flag} 应为数字（${range}），而不是“${value}”。`,
  }),
  badFormat: (value: string, known: readonly string[]): Text => ({
    en: `--format is some of ${known.join(', ')}, not "${value}".`,
    zh: `--format 应为 ${known.join('、')} 中的若干项，而不是“${value}”。`,
  }),
  badFilter: (key: string, known: readonly string[]): Text => ({
    en: `--filter knows ${known.join(', ')}, not "${key}".`,
    zh: `--filter 支持 ${known.join('、')}，不支持“${key}”。`,
  }),
  twoFolders: {
    en: 'Only one of --out and --resume DIR.',
    zh: '--out 与 --resume 目录 只能使用一个。',
  },
  noneLeft: {
    en: 'No question fits --filter.',
    zh: '没有符合 --filter 的问题。',
  },
  noSqlSource: (count: number): Text => ({
    en: `${count} ${count === 1 ? 'question has' : 'questions have'} expected_sql: name the source of data it is run on by --sql-source.`,
    zh: `${count} 个问题带有 expected_sql：请用 --sql-source 指定执行它的数据源。`,
  }),
  folderTaken: (path: string): Text => ({
    en: `${path} already holds a run: go on with it by --resume, or choose another --out.`,
    zh: `${path} 已有一次评测：用 --resume 继续，或另选 --out。`,
  }),
  nothingToResume: (path: string): Text => ({
    en: `There is no run to go on with in ${path}.`,
    zh: `${path} 中没有可以继续的评测。`,
  }),
  otherRun: (problem: string): Text => ({
    en: problem,
    zh: `无法继续：问题或负载设置与之前不同，或该评测按时长进行。${problem}`,
  }),
  exists: (path: string): Text => ({
    en: `${path} exists; it is not overwritten.`,
    zh: `${path} 已存在，不会覆盖。`,
  }),
  auto: {
    en: 'Calls that ask are approved without a person (--approve auto). Denials hold.',
    zh: '需要审批的调用将自动批准（--approve auto）。拒绝规则依然有效。',
  },
  telling: (names: string[]): Text => ({
    en: `Results also go to ${names.join(' and ')}, as the environment says.`,
    zh: `按环境变量设置，结果同时发送到 ${names.join('、')}。`,
  }),
  told: (name: string, place: string, { sent, lost }: { sent: number; lost: number }): Text => ({
    en: `${name}: ${sent} sent${lost > 0 ? `, ${lost} not` : ''}, as "${place}"`,
    zh: `${name}：已发送 ${sent}${lost > 0 ? `，未发送 ${lost}` : ''}，名称“${place}”`,
  }),
  stopping: {
    en: 'Stopping: what is under way is cancelled … (Ctrl-C again leaves at once)',
    zh: '正在停止：取消进行中的提问……（再按一次 Ctrl-C 立即退出）',
  },
  goOn: (file: string, folder: string): Text => ({
    en: `Interrupted. To go on, with the same flags: dataagent harbor run ${file} --resume ${folder}`,
    zh: `已中断。使用相同参数继续：dataagent harbor run ${file} --resume ${folder}`,
  }),
  askAgain: (count: number, file: string, folder: string): Text => ({
    en: `${count} ended by errors of infrastructure. To ask them again, with the same flags: dataagent harbor run ${file} --resume ${folder}`,
    zh: `${count} 个因基础设施错误结束。使用相同参数重新提问：dataagent harbor run ${file} --resume ${folder}`,
  }),
  under: (share: number, wanted: number): Text => ({
    en: `${percent(share)} have passed, less than ${percent(wanted)} (--fail-under).`,
    zh: `通过率 ${percent(share)}，低于 ${percent(wanted)}（--fail-under）。`,
  }),
  written: (path: string): Text => ({ en: `Written: ${path}`, zh: `已写入：${path}` }),
  statuses: {
    passed: { en: 'passed', zh: '通过' },
    failed: { en: 'failed', zh: '未通过' },
    error: { en: 'errors', zh: '出错' },
    timeout: { en: 'timeouts', zh: '超时' },
  },
  phases: {
    reading: { en: 'reading what is expected', zh: '正在读取预期结果' },
    warm_up: { en: 'warming up', zh: '预热' },
    stopping: { en: 'stopping', zh: '正在停止' },
  },
  underWay: (count: number): Text => ({ en: `${count} under way`, zh: `进行中 ${count}` }),
  late: { en: 'late p99', zh: '延迟开始 p99' },
  gone: (clock: string): Text => ({ en: `${clock} gone`, zh: `已用 ${clock}` }),
  left: (clock: string): Text => ({ en: `about ${clock} left`, zh: `约剩 ${clock}` }),
  found: (name: string, count: number): Text => ({
    en: `${name}: ${count} ${count === 1 ? 'question' : 'questions'}`,
    zh: `${name}：${count} 个问题`,
  }),
  checks: (of: Record<'keywords' | 'pattern' | 'tools' | 'sql' | 'nothing', number>): Text => ({
    en: `With keywords ${of.keywords}, pattern ${of.pattern}, tools ${of.tools}, SQL ${of.sql}; ${of.nothing} expect nothing`,
    zh: `关键词 ${of.keywords}，模式 ${of.pattern}，工具 ${of.tools}，SQL ${of.sql}；无期望 ${of.nothing}`,
  }),
  categories: { en: 'Categories: ', zh: '类别：' },
  difficulties: { en: 'Difficulties: ', zh: '难度：' },
  tags: { en: 'Tags: ', zh: '标签：' },
} as const
