import type { Text } from '../words/index.ts'

const text = (en: string, zh: string): Text => ({ en, zh })
const count = (n: number) => n.toLocaleString('en-US')
const s = (n: number) => (n === 1 ? '' : 's')

const units = { line: '行', row: '行数据', part: '段' }

/** What this room says. */
export const words = {
  thinking: text('Thinking', '思考中'),
  writing: text('Writing', '正在回答'),
  waiting: text('Waiting for your decision', '等待你的决定'),
  thought: text('Thought', '思考过程'),
  plan: text('Plan', '计划'),
  noPlan: text('There is no plan.', '没有计划。'),
  stopped: text('Stopped', '已停止'),
  summary: text('Earlier messages were summarised for the model', '较早的消息已为模型做了摘要'),
  restarted: text(
    'The reply was cut off; what is above of it is void. It begins anew.',
    '回答中断，上面的部分作废，现在重新开始。',
  ),
  moreColumns: (n: number) => text(`+${n} col${s(n)}`, `另有 ${n} 列`),
  /** How much is not shown, and what shows it. */
  more: (n: number, unit: keyof typeof units, how: 'Ctrl+O' | '/export') =>
    text(`${count(n)} more ${unit}${s(n)}, ${how}`, `还有 ${count(n)} ${units[unit]}，${how}`),
  earlierTurns: (n: number) =>
    text(`${count(n)} earlier turn${s(n)}: /export`, `更早的 ${count(n)} 轮对话：/export`),
  rows: (n: number) => text(`${count(n)} row${s(n)}`, `${count(n)} 行`),
  moreThan: (n: number) => text(`more than ${count(n)} rows`, `超过 ${count(n)} 行`),
  /** `isLeast`: there are more than could be counted. */
  moreRows: (n: number, how: string, isLeast: boolean) =>
    isLeast
      ? text(`more: ${how}`, `还有更多：${how}`)
      : text(`${count(n)} more: ${how}`, `还有 ${count(n)} 行：${how}`),
  verified: text('verified', '已验证'),
  chartOf: (ref: string) => text(`Chart of ${ref}: /chart ${ref}`, `${ref} 的图表：/chart ${ref}`),
  chartOfFirst: (n: number, ref: string) =>
    text(
      `Of the first ${count(n)} rows. All: /chart ${ref}`,
      `仅前 ${count(n)} 行。全部：/chart ${ref}`,
    ),
  dangling: (refs: string) =>
    text(`Cites what was not run: ${refs}`, `引用了未执行的查询：${refs}`),
  uncovered: (numbers: string) =>
    text(`Not from a query: ${numbers}`, `没有查询依据的数字：${numbers}`),
  tokens: (n: number) => text(`${count(n)} tokens`, `${count(n)} 个 token`),
  matched: (n: number, by: string) => text(`${n} tool${s(n)} for ${by}`, `${n} 个工具参与：${by}`),
  untrusted: text('untrusted output', '输出不受信任'),
  retry: text('/resume, or send it again', '可用 /resume 继续，或重新发送'),
  over: text('The turn has ended.', '本轮已结束。'),
  reference: text('reference', '参考号'),
  operations: {
    read: text('read', '读取'),
    write: text('write', '写入'),
    edit: text('edit', '修改'),
    delete: text('delete', '删除'),
  },
  outcomes: {
    ok: text('done', '完成'),
    error: text('the tool reported an error', '工具返回错误'),
    timeout: text('took too long', '超时'),
    denied: text('not allowed', '不允许'),
    invalid: text('the arguments do not fit', '参数不符合要求'),
    limited: text('too many calls', '调用过于频繁'),
    rejected: text('rejected', '已拒绝'),
    unavailable: text('the server is not available', '服务不可用'),
    cancelled: text('cancelled', '已取消'),
    unknown_outcome: text('it is not known whether it ran', '不确定是否已执行'),
    interrupted: text('interrupted', '已中断'),
  },
  decisions: {
    approve: text('Approved', '已批准'),
    reject: text('Rejected', '已拒绝'),
    expiry: text('Nobody decided in time', '超时未处理'),
    withdrawal: text('No longer asked', '已撤回'),
  },
  by: (who: string) => text(` by ${who}`, `（${who}）`),
  scopes: {
    once: text('', ''),
    tool: text('this tool, in this session', '本会话内此工具'),
    server: text('this server, in this session', '本会话内此服务'),
    always: text('always', '始终'),
  },
  otherArguments: text('with other arguments', '参数有改动'),
  approval: {
    ask: text('ask', '询问'),
    auto: text('AUTO-APPROVE', '自动批准'),
  },
  link: {
    starting: text('starting', '启动中'),
    live: text('', ''),
    away: text('reconnecting', '重新连接中'),
    lost: text('connection lost', '连接已断开'),
  },
  context: text('ctx', '上下文'),
  cost: text('cost', '费用'),
  queued: (n: number) => text(`${n} queued`, `${n} 条排队`),
  stopHint: text('Esc stop', 'Esc 停止'),
  keysHint: text('? keys', '? 按键'),
  header: {
    agent: text('agent', '智能体'),
    model: text('model', '模型'),
    folder: text('folder', '目录'),
    local: text('local', '本地'),
    remote: text('remote', '远程'),
    help: text('/help for commands, ? for keys', '/help 查看命令，? 查看按键'),
  },
} as const
